// The review of a stored game, below its replay: begun by a button, followed while it is made, and shown when it is done.
//
// Whatever shows the game tells its ply by `ply` {ply}, an event of the document; report.js sends others.

import { announce, ask, byId, listen } from './asking.js';
import { element } from './dom.js';
import { Report, button, percent } from './report.js';

const OPEN = ['waiting', 'running'];

class ReviewPanel {
  constructor(place, number) {
    this.place = place;
    this.path = `/api/records/${number}/review`;
    this.body = element('div', { class: 'review-body' });
    this.error = element('p', { class: 'error', role: 'alert', hidden: '' });
    place.classList.add('card', 'review');
    place.replaceChildren(element('h2', { id: 'review-title' }, 'Review'), this.body, this.error);
    place.setAttribute('aria-labelledby', 'review-title');
    document.addEventListener('ply', (/** @type {CustomEvent} */ event) => this.mark(event.detail.ply));
    this.attempt(async () => this.show(await ask(this.path)));
  }

  async attempt(work) {
    this.error.hidden = true;
    try {
      await work();
    } catch (mistake) {
      this.error.textContent = mistake.message;
      this.error.hidden = false;
    }
  }

  show(told) {
    this.end?.();
    this.end = null;
    this.place.dataset.state = told.state;
    if (told.review) return this.done(told);
    if (OPEN.includes(told.state)) return this.follow(told);
    this.idle(told);
  }

  idle(told) {
    const words = told.state === 'failed' ? `The review failed: ${told.words}.` : told.state === 'stopped' ? 'The review was stopped.'
      : told.state === 'lost' ? 'The review broke off when the server was started again.'
      : told.may ? 'The champion goes over the game: which moves were inaccurate, mistakes or blunders, what was better, and when the game was decided.'
        : 'Nobody has reviewed this game yet.';
    const start = button('Review this game', () => this.begin(), 'primary');
    this.body.replaceChildren(element('p', {}, words), ...(told.may ? [element('p', { class: 'actions' }, start)] : []));
  }

  begin(again = false) {
    this.working({ state: 'waiting', done: 0, total: 0, may: true });
    announce('the review has begun');
    return this.attempt(async () => {
      try {
        this.show(await ask(this.path, { again }));
      } catch (mistake) {
        this.show({ state: 'none', may: true });
        throw mistake;
      }
    });
  }

  working(told) {
    this.bar = element('progress', { max: 1, 'aria-label': 'progress of the review' });
    this.share = element('span', { class: 'soft' });
    const stop = button('Stop', () => this.attempt(async () => this.show(await ask(this.path, undefined, 'DELETE'))));
    this.body.replaceChildren(
      element('p', { class: 'actions' }, element('span', { class: 'ring', 'aria-hidden': 'true' }), this.bar, this.share, ...(told.may ? [stop] : [])));
    this.progress(told);
  }

  follow(told) {
    this.working(told);
    const finished = () => this.attempt(async () => { this.show(await ask(this.path)); announce('the review is done'); });
    const look = () => this.attempt(async () => this.show(await ask(this.path)));
    const lost = () => this.attempt(async () => { const now = await ask(this.path); this.show(now.state === 'none' ? { ...now, state: 'lost' } : now); });
    this.end = listen(`${this.path}/events?after=0`, {
      progress: now => this.progress(now), done: finished, failed: finished, stopped: finished, reset: look, back: look, gone: lost,
    });
  }

  progress({ done, total }) {
    if (total) this.bar.value = done / total;
    else this.bar.removeAttribute('value');
    this.share.textContent = total ? `going over the game, ${percent(done / total)}` : 'getting ready';
  }

  done({ review, may }) {
    const names = [...document.querySelectorAll('.names .who')].map(one => one.textContent);
    const again = may ? [' ', button('Review again', () => this.begin(true), 'link')] : [];
    this.report = new Report(this.body, review, names, again, JSON.parse(byId('game').textContent));
    this.mark(this.ply ?? 0);
  }

  mark(ply) {
    this.ply = ply;
    this.report?.mark(ply);
  }
}

const place = byId('review');
if (place) new ReviewPanel(place, place.dataset.number);
