/**
 * The pocket model in JavaScript, for a browser or Node: what model.py and engine.py do with numpy, in one file.
 *
 * A classic script without dependencies: `importScripts("pocket.js")` or `(0, eval)(text)` gives `pocketModel`.
 *
 *     const model = pocketModel.load(bytes);           // a safetensors file, as an ArrayBuffer or Uint8Array
 *     for (const step of model.generate(jobs))         // one token for each sample in progress
 *       for (const done of step) console.log(done.job, done.index, done.tokens, done.ended);
 *
 * `generate` comes back after each token of the batch (some milliseconds): to stop, do not ask it to go on.
 *
 * It draws the same samples as numpy from the same keys, except where rounding moves a token across the edge between
 * two: products here add float32 numbers in the order of their index, attention and norms add in float64, and numpy does
 * as its matrix library likes. A sample's bits do not depend on the batch, nor on whether the browser has SIMD (a
 * browser may have an exp of its own, which can differ in the last bit).
 *
 * Shapes in the comments: D width, H heads, V vocabulary size, C context length, T tokens, n rows.
 */
globalThis.pocketModel = (() => {
  "use strict";

  const TILE = 4; // rows that one pass over a matrix serves
  const PANEL = 8; // columns of a matrix that lie together in memory
  const ROWS = 32; // samples in flight, at most: a tile is fast, and with few rows a step is short
  const JOINING = 256; // once so many prompt tokens were computed in a step, no further prompt is begun in it
  const END = 0; // the token that ends a reply
  const EPSILON = 1e-5; // of RMSNorm, as in training

  // ------------------------------------------------------------------ products of matrices

  /**
   * A memory of float32 `numbers` that can `grow`, with product(height, x, tiles, K, w, stride, panels, out), which
   * multiplies rows with a matrix of K lines.
   *
   * `height` is how many rows a tile has: 1 or TILE. Places are counted in numbers: the rows stand at `x` as [tiles, K,
   * height], the matrix at `w` as panels [K, PANEL] that begin `stride` apart, and what comes out at `out` is
   * [tiles * height, panels * PANEL]. Growing makes another `numbers`.
   */
  function heap(size, simd) {
    const code = simd ? productsInWebAssembly() : null;
    if (!code || !WebAssembly.validate(code)) {
      const plain = {
        numbers: new Float32Array(size),
        simd: false,
        product: (...where) => plainProduct(plain.numbers, ...where),
        grow(more) {
          const old = plain.numbers;
          plain.numbers = new Float32Array(old.length + more);
          plain.numbers.set(old);
        },
      };
      return plain;
    }
    const pages = (numbers) => Math.ceil((numbers * 4) / 65536);
    const memory = new WebAssembly.Memory({ initial: pages(size) });
    const { one, tile } = new WebAssembly.Instance(new WebAssembly.Module(code), { "": { memory } }).exports;
    const fast = {
      numbers: new Float32Array(memory.buffer),
      simd: true,
      product: (height, x, tiles, K, w, stride, panels, out) =>
        (height === 1 ? one : tile)(x * 4, tiles, K, w * 4, stride * 4, panels, out * 4),
      grow(more) {
        memory.grow(pages(more));
        fast.numbers = new Float32Array(memory.buffer);
      },
    };
    return fast;
  }

  /** The same sums in the same order as below, rounded as often: the same bits, several times slower. */
  function plainProduct(m, height, x, tiles, K, w, stride, panels, out) {
    const f = Math.fround;
    for (let row = 0; row < tiles * height; row++) {
      const first = x + (row - (row % height)) * K + (row % height);
      for (let panel = 0; panel < panels; panel++) {
        let a = 0, b = 0, c = 0, d = 0, e = 0, g = 0, h = 0, i = 0;
        for (let k = 0, from = first, at = w + panel * stride; k < K; k++, from += height, at += PANEL) {
          const v = m[from];
          a = f(a + f(v * m[at])); b = f(b + f(v * m[at + 1])); c = f(c + f(v * m[at + 2])); d = f(d + f(v * m[at + 3]));
          e = f(e + f(v * m[at + 4])); g = f(g + f(v * m[at + 5])); h = f(h + f(v * m[at + 6])); i = f(i + f(v * m[at + 7]));
        }
        m.set([a, b, c, d, e, g, h, i], out + (row * panels + panel) * PANEL);
      }
    }
  }

  /** The bytes of a WebAssembly module with the two functions; places are in bytes there. */
  function productsInWebAssembly() {
    const codes = [productCode(1), productCode(TILE)];
    const section = (id, ...bytes) => [id, ...leb(bytes.length), ...bytes];
    const text = (s) => [s.length, ...new TextEncoder().encode(s)];
    return new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...section(1, 1, 0x60, 7, ...Array(7).fill(0x7f), 0), // one type: seven i32 in, nothing out
      ...section(2, 1, ...text(""), ...text("memory"), 2, 0, 1), // imported, of at least a page
      ...section(3, 2, 0, 0), // two functions of that type
      ...section(7, 2, ...text("one"), 0, 0, ...text("tile"), 0, 1), // exported
      ...section(10, 2, ...codes.flatMap((code) => [...leb(code.length), ...code])),
    ]);
  }

  const leb = (n) => (n < 64 ? [n] : [(n & 127) | 128, n >> 7]); // how WebAssembly writes a number, here up to 8191

  /**
   * The instructions of the product for tiles of `height` rows. The sums of a tile and a panel of 8 columns are in
   * 2 * height registers of four numbers:
   *
   *     for each tile: for each panel: for k in 0 .. K - 1:
   *       left, right = the panel's 8 weights of line k;  for each row: sums[row] += (left, right) * x[k][row]
   */
  function productCode(height) {
    const [x, tiles, K, w, stride, panels, out, weight, panel, input, last] = Array(11).keys(); // i32: 7 arguments, 4 more
    const [left, right, value, sum] = [11, 12, 13, 14]; // v128; `sum` is the first of 2 * height
    const get = (i) => [0x20, i], set = (i) => [0x21, i], constant = (n) => [0x41, ...leb(n)];
    const [plus, minus, times, differ, end] = [0x6a, 0x6b, 0x6c, 0x47, 0x0b]; // of i32
    const [load, splat, store] = [[0, 4], [9, 2], [11, 4]].map(([op, align]) => (offset) => [0xfd, op, align, offset]);
    const zero = [0xfd, 12, ...Array(16).fill(0)], plus4 = [0xfd, 0xe4, 1], times4 = [0xfd, 0xe6, 1]; // of v128
    const line = constant(4 * PANEL), column = constant(4 * height); // bytes of a line of the panel, and of the tile
    const move = (i, ...by) => [...get(i), ...by, plus, ...set(i)];
    const loop = (...body) => [0x03, 0x40, ...body.flat(), 0x0d, 0, end]; // again, while the body leaves a 1
    const rows = [...Array(height).keys()];
    const sums = (r) => [[sum + 2 * r, left, 0], [sum + 2 * r + 1, right, 16]];
    const body = loop(
      [...constant(0), ...set(panel)],
      loop(
        rows.flatMap(sums).flatMap(([own]) => [...zero, ...set(own)]),
        [...get(w), ...get(panel), ...get(stride), times, plus, ...set(weight)],
        [...get(x), ...set(input), ...get(x), ...get(K), ...column, times, plus, ...set(last)],
        loop(
          [...get(weight), ...load(0), ...set(left), ...get(weight), ...load(16), ...set(right)],
          rows.flatMap((r) => [
            ...[...get(input), ...splat(4 * r), ...set(value)],
            ...sums(r).flatMap(([own, half]) => [
              ...[...get(own), ...get(value), ...get(half), ...times4, ...plus4, ...set(own)],
            ]),
          ]),
          [...move(weight, ...line), ...move(input, ...column), ...get(input), ...get(last), differ],
        ),
        [...get(out), ...get(panel), ...line, times, plus, ...set(last)],
        rows.flatMap((r) => [
          ...sums(r).flatMap(([own, , offset]) => [...get(last), ...get(own), ...store(offset)]),
          ...move(last, ...get(panels), ...line, times),
        ]),
        [...move(panel, ...constant(1)), ...get(panel), ...get(panels), differ],
      ),
      [...get(input), ...set(x)], // it went through this tile: the next one follows
      move(out, ...get(panels), ...constant(4 * PANEL * height), times),
      [...get(tiles), ...constant(1), minus, ...set(tiles), ...get(tiles)],
    );
    return [2, 4, 0x7f, 3 + 2 * height, 0x7b, ...body, end]; // first the locals: 4 i32, and the v128
  }

  // ------------------------------------------------------------------ the model

  /**
   * One token that passes through the model: the `token` and its `position`. It attends to the first `common` positions
   * of the cache `prompt` and to the first `count` of `own`, the last of which it fills.
   *
   * @typedef {{token: number, position: number, prompt: number, common: number, own: number, count: number}} Row
   *
   * A cache is a place in the heap. For each layer and head it holds keys as panels of 8 positions, [C / 8, D / H, 8], and
   * values as panels of 8 columns, [D / H / 8, C, 8], so that attention is a product, too.
   */

  /** What load() gives. `context`: C. `vocabulary`: V. `metadata`: the file's. `simd`: are four numbers added at once? */
  class Model {
    constructor(tensors, metadata, simd) {
      const [V, D] = tensors.embed.shape;
      this.context = tensors.position.shape[0];
      Object.assign(this, { D, metadata, heads: Number(metadata.heads), vocabulary: V });
      this.embed = tensors.embed.numbers;
      this.position = tensors.position.numbers;
      this.norm = tensors.norm.numbers;
      let end = 0;
      const room = (numbers) => (end += numbers) - numbers;
      const most = up(Math.max(this.context, ROWS), TILE);
      this.input = room(most * 4 * D); // rows, in tiles
      this.output = room(most * up(Math.max(4 * D, V), PANEL)); // rows, one after another
      this.scores = room(up(this.context, PANEL) + PANEL);
      this.mixed = room(2 * up(D / this.heads, PANEL));
      const matrix = ({ numbers, shape: [K, N] }, overK = N, overN = 1) => {
        const panels = Math.ceil(N / PANEL);
        return { at: room(panels * PANEL * K), K, N, panels, numbers, overK, overN };
      };
      this.layers = [];
      for (let l = 0; tensors[`layers.${l}.qkv`]; l++) {
        const of = (name) => tensors[`layers.${l}.${name}`];
        const [qkv, out, wide, back] = ["qkv", "out", "up", "down"].map((name) => matrix(of(name)));
        this.layers.push({ qkv, out, up: wide, down: back, norm1: of("norm1").numbers, norm2: of("norm2").numbers });
      }
      this.head = matrix({ numbers: this.embed, shape: [D, V] }, 1, D); // the output matrix is the embedding
      this.heap = heap(end, simd);
      this.simd = this.heap.simd;
      for (const { qkv, out, up: wide, down: back } of this.layers) [qkv, out, wide, back].forEach((m) => this.pack(m));
      this.pack(this.head);
      const size = D / this.heads;
      this.keys = up(this.context, PANEL) * size; // numbers of a head in a cache: its keys, then its values
      this.both = this.keys + this.context * up(size, PANEL);
      this.free = []; // caches that are not in use
      this.shares = new Float64Array(this.context);
    }

    /** Lay out a matrix [K, N] in panels; the last one is filled up with zeros. */
    pack({ at, K, N, numbers, overK, overN }) {
      for (let column = 0; column < N; column++)
        for (let k = 0, to = at + (column - (column % PANEL)) * K + (column % PANEL); k < K; k++, to += PANEL)
          this.heap.numbers[to] = numbers[k * overK + column * overN];
    }

    /** A cache for C positions that nobody uses; when it is over, push it to `free`. */
    cache() {
      if (!this.free.length) {
        const end = this.heap.numbers.length;
        this.heap.grow(this.layers.length * this.heads * this.both);
        this.free.push(end);
      }
      return this.free.pop();
    }

    /**
     * Pass rows through the model; their caches then hold their keys and values. A row may attend to an earlier one.
     *
     * Gives the logits of the rows from number `first` on, a Float32Array [V] for each.
     */
    pass(rows, first = 0) {
      const { D, output, heap: { numbers } } = this, n = rows.length;
      const x = new Float32Array(n * D);
      rows.forEach(({ token, position }, r) => {
        for (let d = 0; d < D; d++) x[r * D + d] = this.embed[token * D + d] + this.position[position * D + d];
      });
      const add = (width) => {
        for (let r = 0; r < n; r++) for (let d = 0; d < D; d++) x[r * D + d] += numbers[output + r * width + d];
      };
      this.layers.forEach((layer, l) => {
        this.normed(x, 0, n, layer.norm1);
        const width = this.product(layer.qkv, n);
        rows.forEach((row, r) => this.remember(row, l, output + r * width + D));
        rows.forEach((row, r) => this.attend(row, l, output + r * width, r));
        add(this.product(layer.out, n));
        this.normed(x, 0, n, layer.norm2);
        this.squared(this.product(layer.up, n), n);
        add(this.product(layer.down, n));
      });
      this.normed(x, first, n, this.norm);
      const width = this.product(this.head, n - first);
      return rows.slice(first).map((_, r) => numbers.slice(output + r * width, output + r * width + this.vocabulary));
    }

    /** The first n rows at `input` times a matrix, to `output`. Gives the distance of two rows there. */
    product({ at, K, panels }, n) {
      this.heap.product(TILE, this.input, Math.ceil(n / TILE), K, at, K * PANEL, panels, this.output);
      return panels * PANEL;
    }

    /** Where row r begins at `input`, if rows have K numbers; its next number is TILE further. */
    place(r, K) {
      return this.input + (r - (r % TILE)) * K + (r % TILE);
    }

    /** RMSNorm of rows first .. end - 1 of x [n, D], with a gain [D], to `input`. */
    normed(x, first, end, gain) {
      const { D, heap: { numbers } } = this;
      for (let r = first; r < end; r++) {
        let squares = 0;
        for (let d = 0; d < D; d++) squares += x[r * D + d] * x[r * D + d];
        const size = Math.sqrt(squares / D + EPSILON);
        for (let d = 0, to = this.place(r - first, D); d < D; d++, to += TILE)
          numbers[to] = (x[r * D + d] / size) * gain[d];
      }
    }

    /** max(x, 0)², from `output` to `input`. */
    squared(width, n) {
      const { D, output, heap: { numbers } } = this;
      for (let r = 0; r < n; r++)
        for (let d = 0, to = this.place(r, 4 * D); d < 4 * D; d++, to += TILE) {
          const positive = Math.max(numbers[output + r * width + d], 0);
          numbers[to] = positive * positive;
        }
    }

    /** Put the row's key and value, which stand at `from` one after the other, into its own cache. */
    remember({ own, count }, l, from) {
      const { D, heads, context, keys, both, heap: { numbers } } = this, size = D / heads, t = count - 1;
      for (let h = 0, at = own + l * heads * both; h < heads; h++, at += both)
        for (let j = 0, i = from + h * size; j < size; j++, i++) {
          numbers[at + (t - (t % PANEL)) * size + j * PANEL + (t % PANEL)] = numbers[i];
          numbers[at + keys + ((j - (j % PANEL)) * context + t * PANEL) + (j % PANEL)] = numbers[i + D];
        }
    }

    /** Attention of row number r in layer l, whose query stands at `q`, to `input`. */
    attend({ prompt, common, own, count }, l, q, r) {
      const { D, heads, context, keys, both, scores, shares, mixed, heap: { numbers, product } } = this;
      const size = D / heads, root = Math.sqrt(size), wide = Math.ceil(size / PANEL), total = common + count;
      const parts = [[prompt, common, scores, mixed], [own, count, scores + common, mixed + wide * PANEL]];
      const used = common ? parts : parts.slice(1);
      let to = this.place(r, D);
      for (let h = l * heads; h < (l + 1) * heads; h++, q += size) {
        for (const [cache, length, out] of used)
          product(1, q, 1, size, cache + h * both, size * PANEL, Math.ceil(length / PANEL), out);
        let most = -Infinity, sum = 0;
        for (let t = 0; t < total; t++) most = Math.max(most, numbers[scores + t]);
        for (let t = 0; t < total; t++) sum += shares[t] = Math.exp((numbers[scores + t] - most) / root);
        for (let t = 0; t < total; t++) numbers[scores + t] = shares[t] / sum;
        for (const [cache, length, from, out] of used)
          product(1, from, 1, length, cache + h * both + keys, context * PANEL, wide, out);
        for (let j = 0; j < size; j++, to += TILE)
          numbers[to] = (common ? numbers[mixed + j] : 0) + numbers[mixed + wide * PANEL + j];
      }
    }

    /** The logits [T][V]: row i scores every word of the vocabulary as the successor of tokens[.. i]. */
    forward(tokens) {
      const { own, logits } = this.prefilled(tokens, 0);
      this.free.push(own);
      return logits;
    }

    /** The natural logarithms [V] of the probabilities, at temperature 1, of the token that follows `prompt`. */
    logProbabilities(prompt) {
      const { own, logits: [last] } = this.prefilled(prompt);
      this.free.push(own);
      const log = logTotal(last);
      return Float64Array.from(last, (logit) => logit - log);
    }

    /** The cache of a prompt, and its logits from position `first` on (unset: the last one's). */
    prefilled(prompt, first = prompt.length - 1) {
      if (!(prompt.length >= 1 && prompt.length <= this.context))
        throw new RangeError(`a prompt has 1 to ${this.context} tokens, not ${prompt.length}`);
      for (const token of prompt)
        if (!(token >= 0 && token < this.vocabulary)) throw new RangeError(`there is no token ${token}`);
      const own = this.cache();
      const row = (token, position) => ({ token, position, prompt: 0, common: 0, own, count: position + 1 });
      return { own, logits: this.pass(Array.from(prompt, row), first) };
    }

    // ---------------------------------------------------------------- sampling

    /**
     * Draw all samples of all jobs. After each step, one token for each sample in progress, comes a list of those that
     * are finished: {job: its number, index, tokens: number[], ended: complete, or cut off at the limit?, logprob: the
     * logarithm of the probability of these tokens at temperature 1, if the job has `logprobs`, else 0}.
     *
     * A sample leaves at once and the next one takes its place; samples of a prompt share its cache. Who stops half way
     * says so with return(), as `for (... of ...)` does at a `break`: the caches are then free for others.
     *
     * @param {{prompt: ArrayLike<number>, first: number, keys: (string|bigint)[], limit: number, temperature: number,
     *   topP: number, ended?: (tokens: number[]) => boolean, logprobs?: boolean}[]} jobs
     *   `keys`: the 128-bit key of the random numbers of each sample; the samples are number `first`, `first` + 1 ...
     *   `limit`: most tokens of a sample; prompt and limit together fit the context.
     *   `ended`: is this reply complete? Unset: when its last token is END.
     */
    *generate(jobs) {
      for (const { prompt, limit } of jobs)
        if (!(limit >= 1 && prompt.length + limit <= this.context))
          throw new RangeError(`prompt and reply have at most ${this.context} tokens, not ${prompt.length} + ${limit}`);
      const taken = new Set(); // caches, which must come back
      const take = (cache) => taken.add(cache) && cache;
      const give = (cache) => taken.delete(cache) && this.free.push(cache);
      const queue = this.samples(jobs, take, give);
      let rows = [], next = queue.next();
      try {
        for (;;) {
          for (let fresh = 0; rows.length < ROWS && !next.done && fresh < JOINING; next = queue.next()) {
            if (rows.at(-1)?.number !== next.value.number) fresh += next.value.common;
            rows.push(next.value);
          }
          if (!rows.length) return;
          const done = [], going = [];
          for (const row of rows) {
            const { job, tokens } = row;
            row.token = draw(row.logits, job.temperature, job.topP, row.uniform());
            if (job.logprobs) row.logprob += row.logits[row.token] - logTotal(row.logits);
            tokens.push(row.token);
            row.position++;
            row.count++;
            const ended = job.ended ? Boolean(job.ended(tokens)) : row.token === END;
            if (ended || tokens.length === job.limit) {
              done.push({ job: row.number, index: row.index, tokens, ended, logprob: row.logprob });
              row.over();
            } else going.push(row);
          }
          yield done;
          rows = going;
          for (const row of rows) row.own ??= take(this.cache());
          if (rows.length) this.pass(rows).forEach((logits, r) => { rows[r].logits = logits; });
        }
      } finally {
        taken.forEach(give);
      }
    }

    /** Every sample of every job, in order; a prompt is computed when its first sample is wanted. */
    *samples(jobs, take, give) {
      for (const [number, job] of jobs.entries()) {
        if (!job.keys.length) continue;
        const { own: prompt, logits: [logits] } = this.prefilled(job.prompt);
        const common = job.prompt.length;
        let left = job.keys.length;
        take(prompt);
        for (const [i, key] of job.keys.entries())
          yield {
            ...{ number, job, index: job.first + i, uniform: uniforms(key), tokens: [], logits },
            ...{ token: END, position: common - 1, prompt, common, own: null, count: 0, logprob: 0 },
            over() {
              if (this.own !== null) give(this.own);
              if (!--left) give(prompt);
            },
          };
      }
    }
  }

  const up = (n, multiple) => Math.ceil(n / multiple) * multiple;

  // ------------------------------------------------------------------ the next token

  /** The logarithm of the sum of the exponentials of logits. */
  function logTotal(logits) {
    const most = logits.reduce((a, b) => Math.max(a, b));
    return most + Math.log(logits.reduce((sum, logit) => sum + Math.exp(logit - most), 0));
  }

  /** The first most probable token at temperature 0; else the one at which the running sum of probabilities passes u. */
  function draw(logits, temperature, topP, u) {
    const V = logits.length;
    let best = 0;
    for (let i = 1; i < V; i++) if (logits[i] > logits[best]) best = i;
    if (!(temperature > 0)) return best;
    const p = new Float64Array(V);
    for (let i = 0; i < V; i++) p[i] = Math.exp((logits[i] - logits[best]) / temperature);
    if (topP < 1) nucleus(p, topP);
    let total = 0, sum = 0;
    for (let i = 0; i < V; i++) total += p[i];
    for (let i = 0; i < V; i++) if ((sum += p[i]) > u * total) return i;
    return best; // not reached: u is below 1
  }

  /** Keep the smallest set of most probable tokens whose shares of p reach `least`; the others become 0. */
  function nucleus(p, least) {
    const order = [...p.keys()].sort((a, b) => p[b] - p[a] || a - b);
    const total = order.reduce((sum, token) => sum + p[token], 0);
    let sum = 0, full = false;
    for (const token of order) {
      if (full) p[token] = 0;
      sum += p[token];
      full ||= sum >= least * total;
    }
  }

  /**
   * A function that gives numbers in [0, 1), multiples of 2 ** -52, one after another: those that numpy's Philox gives.
   *
   * Philox4x64-10 (Salmon et al. 2011, "Parallel Random Numbers: As Easy as 1, 2, 3"), counting from 1.
   *
   * @param {string|bigint} key 128 bits: a BigInt, or its digits ("0x...")
   */
  function uniforms(key) {
    const low = (n) => BigInt.asUintN(64, n), high = (n) => n >> 64n;
    const words = [low(BigInt(key)), low(high(BigInt(key)))];
    let counter = 0n, block = [];
    return () => {
      if (!block.length) {
        let [a, b, c, d] = [++counter, 0n, 0n, 0n], [k, l] = words;
        for (let round = 0; round < 10; round++) {
          const left = a * 0xd2e7470ee14c6c93n, right = c * 0xca5a826395121157n;
          [a, b, c, d] = [high(right) ^ b ^ k, low(right), high(left) ^ d ^ l, low(left)];
          k = low(k + 0x9e3779b97f4a7c15n);
          l = low(l + 0xbb67ae8584caa73bn);
        }
        block = [a, b, c, d];
      }
      return Number(block.shift() >> 12n) * 2 ** -52;
    };
  }

  // ------------------------------------------------------------------ the file

  /**
   * Read the weights from the bytes of a safetensors file (half or single precision).
   *
   * @param {ArrayBuffer|Uint8Array} data
   * @param {{simd?: boolean}} options `simd: false` does without WebAssembly
   * @returns {Model}
   * @throws {Error} if they do not hold a pocket model's weights; the message says why
   */
  function load(data, { simd = true } = {}) {
    const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
    const { tensors, metadata } = read(bytes);
    check(tensors, metadata);
    return new Model(tensors, metadata, simd && typeof WebAssembly === "object");
  }

  /** The tensors {shape, numbers}, in single precision, and the metadata of a safetensors file. */
  function read(bytes) {
    if (bytes.length < 8) throw new Error("it is too short");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const start = 8 + Number(view.getBigUint64(0, true));
    if (start > bytes.length) throw new Error("its header is cut off");
    const { __metadata__: metadata = {}, ...about } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
    const tensors = {};
    const halves = Float32Array.from({ length: 65536 }, (_, bits) => half(bits));
    const inOrder = Object.entries(about).sort(([, a], [, b]) => a.data_offsets[0] - b.data_offsets[0]);
    let place = 0;
    for (const [name, { dtype, shape, data_offsets: [first, last] }] of inOrder) {
      if (first !== place) throw new Error(`the numbers of ${name} do not follow those before them`);
      place = last;
      const width = { F16: 2, F32: 4 }[dtype];
      if (!width) throw new Error(`${name} is of type ${dtype}`);
      const count = shape.reduce((product, n) => product * n, 1);
      if (start + last > bytes.length || count * width !== last - first) throw new Error(`${name} is cut off`);
      const numbers = new Float32Array(count);
      for (let i = 0, at = start + first; i < count; i++, at += width)
        numbers[i] = width === 4 ? view.getFloat32(at, true) : halves[view.getUint16(at, true)];
      tensors[name] = { shape, numbers };
    }
    if (start + place !== bytes.length) throw new Error(`there are ${bytes.length - start - place} bytes more`);
    return { tensors, metadata };
  }

  /** The number that 16 bits stand for in half precision (IEEE 754: 1 sign, 5 exponent, 10 fraction). */
  function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    if (exponent === 31) return fraction ? NaN : sign * Infinity;
    return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24);
  }

  /** Throws an Error if a tensor is missing, shapes do not match, or a number is not finite. */
  function check(tensors, { heads }) {
    const named = (name) => {
      if (!tensors[name]) throw new Error(`it has no '${name}'`);
      return tensors[name];
    };
    const D = named("embed").shape.at(-1);
    const depth = Math.max(0, ...Object.keys(tensors).map((name) => 1 + Number(/^layers\.(\d+)\./.exec(name)?.[1] ?? -1)));
    const shapes = { embed: [-1, D], position: [-1, D], norm: [D] };
    const layer = { norm1: [D], qkv: [D, 3 * D], out: [D, D], norm2: [D], up: [D, 4 * D], down: [4 * D, D] };
    for (let i = 0; i < depth; i++)
      for (const [name, shape] of Object.entries(layer)) shapes[`layers.${i}.${name}`] = shape;
    for (const [name, want] of Object.entries(shapes)) {
      const { shape, numbers } = named(name);
      if (shape.length !== want.length || want.some((n, i) => n >= 0 && n !== shape[i]))
        throw new Error(`${name} has shape (${shape.join(", ")}), not (${want.join(", ")})`);
      if (!numbers.every(Number.isFinite)) throw new Error("not all numbers are finite");
    }
    if (heads === undefined) throw new Error("it has no 'heads'");
    if (!(Number(heads) >= 1) || D % Number(heads)) throw new Error(`a width of ${D} cannot be shared by ${heads} heads`);
  }

  return Object.freeze({ load, uniforms, draw, half });
})();
