// idle_rows.js — the idle time of devices on the timeline, in the colour of what each waits for
(function () {
    "use strict";

    const COLORS = { // as in the bar of the answer
        "data loader": [232, 142, 106], synchronisation: [137, 181, 230], "a blocking copy": [200, 190, 100], allocating: [172, 160, 212],
        launching: [240, 190, 110], "setting up": [190, 166, 146], "other host work": [214, 140, 132], "other streams": [140, 200, 200],
    };
    const UNKNOWN = [190, 197, 205], INK = "#14171b";

    // A device's gaps are events of one row, whose names are what it waits for.
    class IdleRows {
        constructor(data) {
            this.data = data;
            this.rows = data.gaps.filter(idle => idle.all).map(idle => this.rowOf(idle));
        }

        rowOf(idle) {
            const { data } = this, gaps = { start: idle.start, end: idle.end, name: idle.kind };
            const row = { gaps, idle, first: 0, ids: null, count: idle.gaps, title: this.titleOf(idle) };
            row.painter = new ptk.RowPainter(gaps, data.idle.map(kind => COLORS[kind] || UNKNOWN));
            ptk.finishRow(gaps, row);
            return row;
        }

        titleOf(idle) {
            const { data } = this, rest = ptk.duration(idle.rest);
            return (data.rank >= 0 ? `rank ${data.rank} · ` : "") + "idle time of " + (data.gaps.length === 1 ? "the device" : "device " + idle.device) +
                (idle.rest ? `: the ${ptk.count(idle.gaps)} longest of ${ptk.count(idle.all)} gaps, the others are ${rest} together` : "");
        }

        textOf(row, at) {
            const { data } = this, owner = row.idle.owner[at];
            return data.idle[row.idle.kind[at]] + (owner >= 0 ? ": " + data.owners[owner] : "");
        }

        draw(context, row, timeline, { y, height }) {
            const { painter } = row, { view, ratio, theme } = timeline;
            painter.resize(timeline.canvas.width, 1);
            painter.begin({ from: view.from, to: view.to, marked: null }, theme.papers);
            painter.paintRow(row, 0);
            painter.finish();
            context.drawImage(painter.canvas, 0, 0, painter.width, 1, 0, y, timeline.width, height);
            context.fillStyle = INK;
            for (const { left, right, event } of painter.labels)
                timeline.drawLabel(context, this.textOf(row, event), left / ratio, right / ratio, y + height / 2);
        }

        // The gap at a time, as a range; null: none is there.
        gapAt(row, time) {
            const at = ptk.firstEndingAfter(row.gaps, row, time);
            return at < row.count && row.gaps.start[at] <= time ? { range: [row.gaps.start[at], row.gaps.end[at]], text: this.textOf(row, at) } : null;
        }
    }

    ptk.IdleRows = IdleRows;
})();
