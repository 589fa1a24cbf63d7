// The page's side of the worker.

export class Stopped extends Error {}

export class Kernel {
  /** `progress(bytes)`: how much more of the runtime has arrived. */
  constructor(progress) {
    this.progress = progress;
    this.waiting = null; // {resolve, reject, output} of the start or of the one cell that runs
    this.count = 0;
  }

  /** Starts Python unless it runs already. Raises Error, with a message for readers. */
  start() {
    this.started ??= new Promise((resolve, reject) => {
      this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = (event) => {
        event.preventDefault?.();
        this.hear({ type: "failed", message: event.message || "the browser did not start a worker" });
      };
      this.waiting = { resolve, reject };
      this.worker.postMessage({ type: "start" });
    });
    return this.started;
  }

  /**
   * Runs one cell; resolves to {ok, seconds, given, missed}. `output` is called for each output while the cell runs; `answers`:
   * who answers what is not recorded, as worker.js takes it.
   */
  run(code, name, output, answers = null) { return this.ask({ type: "run", code, name, answers }, output); }

  /** Runs a search of a lab (live/lab.py); `output` is called for all that it tells. */
  search(what, output) { return this.ask({ type: "search", what: JSON.stringify(what) }, output); }

  /** What the lab of that number offers. */
  async offer(lab) { return (await this.ask({ type: "offer", lab })).offer; }

  /** Ends a search soon, with its best so far. */
  halt() { this.worker?.postMessage({ type: "halt" }); }

  ask(message, output) {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject, output };
      this.worker.postMessage({ ...message, id: ++this.count });
    });
  }

  hear(message) {
    if (message.type === "progress") return this.progress(message.bytes);
    if (message.type === "output") return this.waiting?.output?.(message.output);
    const waiting = this.waiting;
    this.waiting = null;
    if (message.type === "failed") {
      this.end();
      waiting?.reject(new Error(message.message));
    } else waiting?.resolve(message);
  }

  end() {
    this.worker?.terminate();
    this.worker = this.started = null;
  }

  /** Ends Python at once, whatever it does; its variables are lost. What waits for it gets `Stopped`. */
  stop() {
    this.end();
    const waiting = this.waiting;
    this.waiting = null;
    waiting?.reject(new Stopped());
  }
}
