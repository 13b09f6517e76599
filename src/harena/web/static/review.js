// The review of a stored game, below its replay: begun by a button, followed while it is made, and shown when it is done.
//
// Talks with whatever shows the game by events of the document: it sends `goto` {ply} and `notes` {notes}, and listens
// for `ply` {ply}.

import { announce, ask, byId, listen } from './asking.js';
import { element } from './moves.js';
import { Chart } from './review-chart.js';

const SIGNS = { blunder: '??', mistake: '?', inaccuracy: '?!' };
const PLURALS = { inaccuracy: 'inaccuracies', mistake: 'mistakes', blunder: 'blunders' };
const KINDS = Object.keys(PLURALS);
const OPEN = ['waiting', 'running'];
const LUCK = .05; // a landing that changes less is not listed

const percent = share => `${Math.round(100 * share)}\u00a0%`;
const worth = (share, exact) => exact && [0, .5, 1].includes(share) ? { 0: 'lost', 0.5: 'drawn', 1: 'won' }[share] : `${exact ? '' : 'about '}${percent(share)}`;

// What a marked move is, in words.
export function described(one) {
  const from = worth(one.best, one.exact_best), to = worth(one.played, one.exact_played);
  const sure = one.exact_best && one.exact_played ? ', proven' : '';
  return `${one.mark[0].toUpperCase()}${one.mark.slice(1)}: ${one.better} was better (from ${from} to ${to}${sure}).`;
}

function decidedWords(review) {
  const { decided } = review;
  if (decided.kind === 'start') return 'It was decided from the start on';
  if (decided.kind === 'fault') return 'It was decided by the fault at its end, not on the board';
  return `It was decided by ${decided.kind === 'throw' ? 'the throw that landed on' : `player ${decided.by + 1}'s`} ${decided.move}`;
}

export class ReviewPanel {
  constructor(place, number) {
    this.place = place;
    this.path = `/api/records/${number}/review`;
    this.body = element('div', { class: 'review-body' });
    this.error = element('p', { class: 'error', role: 'alert', hidden: '' });
    place.classList.add('card', 'review');
    place.replaceChildren(element('h2', { id: 'review-title' }, 'Review'), this.body, this.error);
    place.setAttribute('aria-labelledby', 'review-title');
    document.addEventListener('ply', event => this.mark(event.detail.ply));
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

  button(words, act, name = '') {
    const made = element('button', { type: 'button', class: name }, words);
    made.addEventListener('click', act);
    return made;
  }

  idle(told) {
    const words = told.state === 'failed' ? `The review failed: ${told.words}.` : told.state === 'stopped' ? 'The review was stopped.'
      : told.may ? 'The champion goes over the game: which moves were inaccurate, mistakes or blunders, what was better, and when the game was decided.'
        : 'Nobody has reviewed this game yet.';
    const start = this.button('Review this game', () => this.begin(), 'primary');
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
    const stop = this.button('Stop', () => this.attempt(async () => this.show(await ask(this.path, undefined, 'DELETE'))));
    this.body.replaceChildren(
      element('p', { class: 'actions' }, element('span', { class: 'ring', 'aria-hidden': 'true' }), this.bar, this.share, ...(told.may ? [stop] : [])));
    this.progress(told);
  }

  follow(told) {
    this.working(told);
    const finished = () => this.attempt(async () => { this.show(await ask(this.path)); announce('the review is done'); });
    this.end = listen(`${this.path}/events?after=0`, { progress: now => this.progress(now), done: finished, failed: finished, stopped: finished, reset: finished });
  }

  progress({ done, total }) {
    if (total) this.bar.value = done / total;
    else this.bar.removeAttribute('value');
    this.share.textContent = total ? `going over the game, ${percent(done / total)}` : 'getting ready';
  }

  done({ review, may }) {
    this.review = review;
    const marked = review.decisions.filter(one => one.mark);
    this.chart = new Chart(review, ply => this.go(ply));
    this.body.replaceChildren(
      element('div', { class: 'sides' }, ...[0, 1].map(seat => this.side(seat))),
      this.moment(), element('figure', {}, this.chart.svg, element('figcaption', { class: 'soft small' }, 'What player 1 could expect after each ply: above is won, below is lost. A full line is proven, a thin one an estimate.')),
      this.list(marked), ...this.luck(), this.foot(may));
    document.dispatchEvent(new CustomEvent('notes', { detail: { notes: this.notes(marked) } }));
    this.mark(this.ply ?? 0);
  }

  side(seat) {
    const accuracy = this.review.accuracy[seat], names = document.querySelectorAll('.names .who');
    const counts = KINDS.map(kind => {
      const number = this.review.decisions.filter(one => one.by === seat && one.mark === kind).length;
      return element('li', { class: number ? kind : 'soft' }, `${number} ${number === 1 ? kind : PLURALS[kind]}`);
    });
    return element('div', { class: `side seat-${seat + 1}` },
      element('h3', {}, element('span', { class: 'badge', 'aria-hidden': 'true' }, String(seat + 1)), names[seat]?.textContent ?? `player ${seat + 1}`),
      element('p', { class: 'accuracy' }, accuracy === null ? 'no decision' : `${accuracy.toFixed(1)} %`, element('span', { class: 'soft' }, accuracy === null ? '' : ' accuracy')),
      element('ul', {}, ...counts));
  }

  moment() {
    const { decided, proven_from: proven, swing } = this.review, parts = [];
    if (decided.kind === 'start' || decided.kind === 'fault') parts.push(decidedWords(this.review));
    else parts.push(`${decidedWords(this.review)} `, element('span', { class: 'whole' }, '(', this.link(decided.ply, `ply ${decided.ply}`), ')'));
    if (proven !== null) parts.push(proven ? '; the result is proven after ' : '; the result is proven from the start', ...(proven ? [this.link(proven, `ply ${proven}`)] : []));
    if (swing !== null && swing !== decided.ply) parts.push('; the largest swing was ', this.link(swing, `ply ${swing}`));
    return element('p', { class: 'moment' }, ...parts, '.');
  }

  link(ply, words) {
    return this.button(words, () => this.go(ply), 'link');
  }

  list(marked) {
    if (!marked.length) return element('p', { class: 'empty' }, 'No inaccuracy, mistake or blunder was found.');
    const rows = marked.map(one => {
      const row = this.button('', () => this.go(one.ply), `marked ${one.mark}`);
      row.dataset.ply = one.ply;
      row.append(element('span', { class: 'where' }, String(one.ply)), element('span', { class: 'badge', 'aria-label': `player ${one.by + 1}` }, String(one.by + 1)),
        element('span', { class: 'what' }, `${one.move} ${SIGNS[one.mark]}`), element('span', { class: 'why' }, described(one)), element('span', { class: 'cost' }, `−${percent(one.loss)}`));
      return element('li', { class: `seat-${one.by + 1}` }, row);
    });
    return element('ol', { class: 'marks', 'aria-label': 'marked moves' }, ...rows);
  }

  luck() {
    const throws = this.review.throws.filter(one => Math.abs(one.gain) >= LUCK);
    if (!throws.length) return [];
    const items = throws.map(one => element('li', {}, this.link(one.ply, `ply ${one.ply}`),
      ` ${one.move} (${percent(one.chance)} likely): ${one.gain > 0 ? 'good' : 'bad'} luck of player ${one.by + 1}, ${one.gain > 0 ? '+' : '−'}${percent(Math.abs(one.gain))}`));
    return [element('details', { class: 'luck' }, element('summary', {}, `Luck of the throws (${throws.length})`), element('ul', {}, ...items))];
  }

  foot(may) {
    const { player, nodes } = this.review;
    const said = `By ${player}${nodes ? `, ${nodes.toLocaleString('en')} positions a decision` : ''}. Percentages are expected scores: 100 % is a win, 50 % a draw.`;
    return element('p', { class: 'soft small' }, said, ...(may ? [' ', this.button('Review again', () => this.begin(true), 'link')] : []));
  }

  notes(marked) {
    const notes = marked.map(one => ({ ply: one.ply, kind: one.mark, sign: SIGNS[one.mark], words: described(one) }));
    const { decided } = this.review;
    if (decided.ply && decided.kind !== 'fault' && !notes.some(note => note.ply === decided.ply)) {
      notes.push({ ply: decided.ply, kind: 'decided', sign: '', words: 'Here the game was decided.' });
    }
    return notes;
  }

  go(ply) {
    document.dispatchEvent(new CustomEvent('goto', { detail: { ply } }));
    this.mark(ply);
  }

  mark(ply) {
    this.ply = ply;
    if (!this.review) return;
    this.chart.mark(ply);
    for (const row of this.place.querySelectorAll('.marked')) {
      if (Number(row.dataset.ply) === ply) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    }
  }
}

const place = byId('review');
if (place) new ReviewPanel(place, place.dataset.number);
