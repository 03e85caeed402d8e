// Something that is asked for again when there is a reason to, and now and then without one; never twice at a time.

const BETWEEN = 2_000;
const ANYWAY = 15_000;

export class Polled {
  last = null;
  #question;
  #answer;
  #failed;
  #timer = 0;
  #askedAt = 0;
  #control = null;
  #again = false;
  #closed = false;

  constructor(question, answer, failed) {
    this.#question = question;
    this.#answer = answer;
    this.#failed = failed;
  }

  async ask() {
    clearTimeout(this.#timer);
    if (this.#closed || this.#control) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#askedAt = Date.now();
    this.#control = new AbortController();
    try {
      const answer = await this.#question(this.#control.signal);
      if (!this.#closed) {
        this.last = answer;
        this.#answer(answer);
      }
    } catch (error) {
      if (!this.#closed) {
        this.#failed(error);
      }
    }
    this.#control = null;
    this.#later(this.#again ? 0 : ANYWAY);
  }

  /** There is something new: ask, unless that was done a moment ago. */
  soon() {
    this.#later(Math.max(0, this.#askedAt + BETWEEN - Date.now()));
  }

  #later(wait) {
    clearTimeout(this.#timer);
    if (!this.#closed) {
      this.#timer = setTimeout(() => this.ask(), wait);
    }
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#control?.abort();
  }
}
