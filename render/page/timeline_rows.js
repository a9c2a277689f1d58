// timeline_rows.js — rows of events as pixels: a walk over pixels, not over events
(function () {
    "use strict";

    // What a device does has the colours of the bar in the answer.
    const COLORS = {
        host: [200, 206, 214], python: [142, 196, 216], operator: [178, 170, 226], annotation: [190, 196, 203],
        runtime: [240, 190, 110], kernel: [92, 186, 138], memcpy: [222, 205, 80], memset: [222, 205, 80],
        communication: [222, 140, 195], sync: [137, 181, 230], other: [190, 196, 203],
    };
    const TINTS = [[176, 200, 226], [236, 200, 150], [180, 214, 176], [214, 190, 226], [240, 186, 176], [176, 216, 212], [226, 214, 160]];
    const LABELLED = 26; // pixels from which a box has a text
    const NEAR = 96, LOOKS = 64;

    ptk.colorOfKind = kind => COLORS[kind] || COLORS.other;

    // Functions of the host, of which nothing else is known, are distinguished by their names.
    ptk.colorOfName = function (data, name) {
        const kind = ptk.kindOf(data, name);
        return kind === "host" ? TINTS[name % TINTS.length] : ptk.colorOfKind(kind);
    };

    // The longest of the events at places from `from` to `to`, of many with the help of blocks. Most of a frame's time
    // is spent here: so it calls nothing for each event.
    function longestBetween({start, end}, row, from, to)
    {
        const {ids, first, longest} = row, isFew = to - from < NEAR;
        const block = isFew ? 0 : (from >> 5) + 1, past = isFew ? 0 : to >> 5,
              step = Math.max(1, (past - block) >> 6);
        let best = from, most = -1;
        for (let at = from, until = isFew ? to : block * 32; at < until; at++) {
            const event = first + (ids ? ids[at] : at), length = end[event] - start[event];
            if (length > most)
                [best, most] = [ at, length ];
        }
        for (let each = block; each < past; each += step) {
            const at = longest[each], event = first + (ids ? ids[at] : at),
                  length = end[event] - start[event];
            if (length > most)
                [best, most] = [ at, length ];
        }
        return best;
    }

    class RowPainter {
        // `colors` by name, where they are not those of kinds.
        constructor(data, colors) {
            this.data = data;
            this.colors = colors || [...data.names.map((_, name) => ptk.colorOfName(data, name)), COLORS.other];
            this.canvas = document.createElement("canvas");
        }

        resize(width, rows) {
            if (this.width === width && this.rows === rows) return;
            this.width = this.canvas.width = Math.max(1, width);
            this.rows = this.canvas.height = Math.max(1, rows);
            this.context = this.canvas.getContext("2d");
            this.image = this.context.createImageData(this.width, this.rows);
            this.pixels = new Uint32Array(this.image.data.buffer);
        }

        begin(view, paper) {
            this.view = view;
            this.paper = paper;
            this.labels = [];
            this.pixels.fill(0);
        }

        // A name's colour, so much of it over the paper.
        mixed(color, share) {
            const [red, green, blue] = this.paper, rest = 1 - share;
            const r = color[0] * share + red * rest, g = color[1] * share + green * rest,
                  b = color[2] * share + blue * rest;
            return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
        }

        isDimmed(name) { return this.view.marked && !this.view.marked[name]; }

        // One pixel for all that begins in it; paler where less of it is busy.
        paintCrowd(base, x, row, from, to, unitsAPixel) {
            const data = this.data, busy = Math.min(1, (row.busy[to] - row.busy[from]) / unitsAPixel);
            const name = data.name[ptk.eventAt(row, longestBetween(data, row, from, to))];
            let share = 0.25 + 0.75 * busy;
            if (this.view.marked) {
                let isFound = this.view.marked[name];
                for (let at = from; at < to && at < from + LOOKS && !isFound; at++)
                    isFound = this.view.marked[data.name[ptk.eventAt(row, at)]];
                share = isFound ? 1 : 0.15;
            }
            this.pixels[base + x] = this.mixed(this.colors[name], share);
        }

        paintBox(base, left, right, event, line) {
            const name = this.data.name[event], isDim = this.isDimmed(name), past = Math.min(this.width, right);
            this.pixels.fill(this.mixed(this.colors[name], isDim ? 0.25 : 1), base + left, base + past);
            if (past - 1 > left) this.pixels[base + past - 1] = this.mixed(this.colors[name], isDim ? 0.12 : 0.55);
            if (past - left > LABELLED) this.labels.push({ line, left, right: past, event });
        }

        // The place after the last event that begins and ends in the pixel of the one at `at`: a longer one may begin there.
        crowdEnd(row, at, left) {
            const { from, to } = this.view, unitsAPixel = (to - from) / this.width;
            const past = Math.max(at + 1, ptk.firstStartingAt(this.data, row, from + (left + 1) * unitsAPixel, at));
            const isLong = past > at + 1 && Math.floor((this.data.end[ptk.eventAt(row, past - 1)] - from) / unitsAPixel) > left + 1;
            return isLong ? past - 1 : past;
        }

        paintRow(row, line) {
            const data = this.data, { from, to } = this.view, width = this.width;
            const unitsAPixel = (to - from) / width, base = line * width;
            for (let at = ptk.firstEndingAfter(data, row, from); at < row.count;) {
                const event = ptk.eventAt(row, at), start = data.start[event];
                if (start >= to) break;
                const left = Math.max(0, Math.floor((start - from) / unitsAPixel));
                const right = Math.floor((data.end[event] - from) / unitsAPixel);
                if (right > left + 1) {
                    this.paintBox(base, left, right, event, line);
                    at++;
                    continue;
                }
                const past = this.crowdEnd(row, at, left);
                if (left < width) this.paintCrowd(base, left, row, at, past, unitsAPixel);
                at = past;
            }
        }

        // What is counted in cells: the busier, the darker.
        paintCells(cells, line) {
            const { width } = cells, from = this.view.from - cells.from, unitsAPixel = (this.view.to - this.view.from) / this.width;
            for (let x = 0; x < this.width; x++) {
                const first = Math.floor((from + x * unitsAPixel) / width);
                const last = Math.max(first, Math.ceil((from + (x + 1) * unitsAPixel) / width) - 1);
                let busy = 0, count = 0;
                for (let cell = Math.max(0, first); cell <= last && cell < cells.count.length; cell++) {
                    busy += cells.busy[cell];
                    count += cells.count[cell];
                }
                if (count)
                    this.pixels[line * this.width + x] =
                        this.mixed(COLORS.other, 0.2 + 0.8 * Math.min(1, busy / 255 / (last - first + 1)));
            }
        }

        finish() { this.context.putImageData(this.image, 0, 0); }
    }

    ptk.RowPainter = RowPainter;
    ptk.longestBetween = longestBetween;
})();
