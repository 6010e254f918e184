// Time: the frame that is shown, playing, and the time line.
'use strict';

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

class Player {
  constructor(page) {
    this.page = page;
    this.times = [];
    this.wanted = 0;
    this.playing = false;
    const on = (id, act) => element(id).addEventListener('click', act);
    on('first', () => this.go(0));
    on('back', () => this.step(-1));
    on('play', () => this.toggle());
    on('forward', () => this.step(1));
    on('last', () => this.go(this.times.length - 1));
    element('line').addEventListener('input', ({target}) => this.go(Number(target.value)));
    element('follow').addEventListener('change', ({target}) => target.checked && this.go(this.times.length - 1));
    fill(element('speed'), SPEEDS);
    element('speed').addEventListener('change', ({target}) => this.setSpeed(Number(target.value)));
  }

  // Takes in the times of a run from a frame on.
  addTimes(begin, times) {
    const atEnd = this.wanted >= this.times.length - 1, isFirst = this.times.length === 0;
    this.times = this.times.slice(0, begin).concat(times);
    element('line').max = this.times.length - 1;
    if (isFirst) {
      // So that the whole run takes about ten seconds.
      const wanted = (this.times[this.times.length - 1] - this.times[0]) / 10;
      const miss = (speed) => Math.abs(Math.log(speed / wanted));
      this.setSpeed(wanted > 0 ? SPEEDS.reduce((best, speed) => miss(speed) < miss(best) ? speed : best) : 1);
    } else if (times.length && atEnd && element('follow').checked && !this.playing) {
      this.go(this.times.length - 1);
    }
    this.tell();
  }

  setSpeed(speed) {
    this.speed = speed;
    element('speed').value = speed;
    this.start();
  }

  faster(by) {
    const at = SPEEDS.indexOf(this.speed) + by;
    if (at >= 0 && at < SPEEDS.length) this.setSpeed(SPEEDS[at]);
  }

  // Shows a frame, and stops playing.
  go(number) {
    this.pause();
    if (number < this.times.length - 1) element('follow').checked = false;
    return this.show(number);
  }

  step(by) {
    return this.go(this.wanted + by);
  }

  show(number) {
    this.wanted = Math.max(0, Math.min(this.times.length - 1, number));
    return this.page.show(this.wanted);
  }

  toggle() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.wanted === this.times.length - 1) this.wanted = 0;
    this.playing = true;
    element('play').textContent = '❚❚';
    this.start();
    requestAnimationFrame(() => this._tick());
  }

  pause() {
    this.playing = false;
    element('play').textContent = '▶';
  }

  // The clock starts at the present frame.
  start() {
    this.clock = performance.now();
    this.clockTime = this.times[this.wanted];
  }

  async _tick() {
    if (!this.playing) return;
    const time = this.clockTime + this.speed * (performance.now() - this.clock) / 1000;
    // Frames are left out when the computer cannot draw all of them.
    let number = this.wanted;
    while (number + 1 < this.times.length && this.times[number + 1] <= time) ++number;
    if (number !== this.wanted) {
      if (!await this.show(number)) this.pause();
      this.page.prefetch(Math.min(number + 1, this.times.length - 1));
    }
    if (this.wanted === this.times.length - 1) this.pause();
    else requestAnimationFrame(() => this._tick());
  }

  tell() {
    const {times, wanted} = this;
    element('line').value = wanted;
    element('clock').textContent = `${figure(times[wanted], 6)} s · ${wanted + 1} of ${times.length}`;
  }
}
