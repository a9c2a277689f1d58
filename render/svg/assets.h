/* SPDX-License-Identifier: Apache-2.0 */
/* assets.h — the style sheets and scripts that pictures and pages carry, line by line
 *
 * Made by tools/embed-lines.awk from the files of these names in render/. Each list ends with NULL. A
 * hash is the SHA-256, in base 64, of a line break and the file: see tools/hash-assets. */
#ifndef PTK_RENDER_SVG_ASSETS_H
#define PTK_RENDER_SVG_ASSETS_H

extern const char *const asset_picture_css[];
extern const char *const asset_flame_js[];
extern const char *const asset_page_elements_js[];
extern const char *const asset_page_ranks_js[];
extern const char *const asset_page_data_js[];
extern const char *const asset_page_view_js[];
extern const char *const asset_timeline_rows_js[];
extern const char *const asset_timeline_js[];
extern const char *const asset_timeline_input_js[];
extern const char *const asset_selection_js[];
extern const char *const asset_event_sums_js[];
extern const char *const asset_selected_tabs_js[];
extern const char *const asset_sum_table_js[];
extern const char *const asset_icicle_js[];
extern const char *const asset_relatives_js[];
extern const char *const asset_page_tables_js[];
extern const char *const asset_path_tab_js[];
extern const char *const asset_segments_js[];
extern const char *const asset_counters_tab_js[];
extern const char *const asset_chapter_names_js[];
extern const char *const asset_page_slider_js[];
extern const char *const asset_page_actions_js[];
extern const char *const asset_idle_rows_js[];
extern const char *const asset_page_css[];
extern const char *const asset_page_js[];

extern const char asset_picture_css_hash[];
extern const char asset_flame_js_hash[];
extern const char asset_page_elements_js_hash[];
extern const char asset_page_ranks_js_hash[];
extern const char asset_page_data_js_hash[];
extern const char asset_page_view_js_hash[];
extern const char asset_timeline_rows_js_hash[];
extern const char asset_timeline_js_hash[];
extern const char asset_timeline_input_js_hash[];
extern const char asset_selection_js_hash[];
extern const char asset_event_sums_js_hash[];
extern const char asset_selected_tabs_js_hash[];
extern const char asset_sum_table_js_hash[];
extern const char asset_icicle_js_hash[];
extern const char asset_relatives_js_hash[];
extern const char asset_page_tables_js_hash[];
extern const char asset_path_tab_js_hash[];
extern const char asset_segments_js_hash[];
extern const char asset_counters_tab_js_hash[];
extern const char asset_chapter_names_js_hash[];
extern const char asset_page_slider_js_hash[];
extern const char asset_page_actions_js_hash[];
extern const char asset_idle_rows_js_hash[];
extern const char asset_page_css_hash[];
extern const char asset_page_js_hash[];

#endif
