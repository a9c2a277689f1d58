/* inlays.h — the style sheets and scripts that pictures carry, line by line; made from the files of
 * the same names in this folder by tools/embed-lines.awk. Each list ends with NULL. */
#ifndef PTK_RENDER_INLAYS_H
#define PTK_RENDER_INLAYS_H

extern const char *const inlay_picture_css[];
extern const char *const inlay_flame_js[];

#endif
