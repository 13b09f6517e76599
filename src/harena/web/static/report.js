// What a review found, as a part of a page: accuracy of both sides, the moment it was decided, the course of the game, and
// every marked move with what was better. No network: the same shows it on a page of the server and in an exported file.
//
// Talks with whatever shows the game by events of the document: it sends `goto` {ply} and `notes` {notes}; `mark(ply)`
// tells it which ply is shown.

import { element } from './dom.js';
import { Chart } from './review-chart.js';

const SIGNS = { blunder: '??', mistake: '?', inaccuracy: '?!' };
const PLURALS = { inaccuracy: 'inaccuracies', mistake: 'mistakes', blunder: 'blunders' };
const KINDS = Object.keys(PLURALS);
const LUCK = .05; // a landing that changes less is not listed

export const percent = share => `${Math.round(100 * share)}\u00a0%`;
const worth = (share, exact) => exact && [0, .5, 1].includes(share) ? { 0: 'lost', 0.5: 'drawn', 1: 'won' }[share] : `${exact ? '' : 'about '}${percent(share)}`;

// What a marked move is, in words.
function described(one) {
  const from = worth(one.best, one.exact_best), to = worth(one.played, one.exact_played);
  const sure = one.exact_best && one.exact_played ? ', proven' : '';
  return `${one.mark[0].toUpperCase()}${one.mark.slice(1)}: ${one.better} was better (from ${from} to ${to}${sure}).`;
}

// A game that the rules did not end tells first how it did.
function decidedWords({ decided }, game) {
  const ended = game && game.reason !== 'rules' && game.winner !== null ? game.end.replace(/\.$/, '') : '';
  if (decided.kind === 'start') return ended ? `${ended}; by the moves, player ${game.winner + 1} was ahead from the start on` : 'It was decided from the start on';
  if (decided.kind === 'fault') return ended ? `${ended}; on the board it was not decided` : 'It was decided by a fault or a resignation, not on the board';
  return `${ended ? `${ended}; by the moves, it` : 'It'} was decided by ${decided.kind === 'throw' ? 'the throw that landed on' : `player ${decided.by + 1}'s`} ${decided.move}`;
}

export function button(words, act, name = '') {
  const made = element('button', { type: 'button', class: name }, words);
  made.addEventListener('click', act);
  return made;
}

export class Report {
  // `names` are those of the seats, `more` elements for the end of its last line, `game` the document of the replay.
  constructor(place, review, names, more = [], game = null) {
    this.place = place;
    this.review = review;
    this.names = names;
    this.game = game;
    const marked = review.decisions.filter(one => one.mark);
    this.chart = new Chart(review, ply => this.go(ply));
    place.replaceChildren(
      element('div', { class: 'sides' }, ...[0, 1].map(seat => this.side(seat))),
      this.moment(), element('figure', {}, this.chart.svg, element('figcaption', { class: 'soft small' }, 'What player 1 could expect after each ply: above is won, below is lost. A full line is proven, a thin one an estimate.')),
      this.list(marked), ...this.luck(), this.foot(more));
    document.dispatchEvent(new CustomEvent('notes', { detail: { notes: this.notes(marked) } }));
  }

  side(seat) {
    const accuracy = this.review.accuracy[seat];
    const counts = KINDS.map(kind => {
      const number = this.review.decisions.filter(one => one.by === seat && one.mark === kind).length;
      return element('li', { class: number ? kind : 'soft' }, `${number} ${number === 1 ? kind : PLURALS[kind]}`);
    });
    return element('div', { class: `side seat-${seat + 1}` },
      element('h3', {}, element('span', { class: 'badge', 'aria-hidden': 'true' }, String(seat + 1)), this.names[seat] ?? `player ${seat + 1}`),
      element('p', { class: 'accuracy' }, accuracy === null ? 'nothing to decide' : `${accuracy.toFixed(1)} %`, element('span', { class: 'soft' }, accuracy === null ? '' : ' accuracy')),
      element('ul', {}, ...counts));
  }

  moment() {
    const { decided, proven_from: proven, swing } = this.review, parts = [];
    if (decided.kind === 'start' || decided.kind === 'fault') parts.push(decidedWords(this.review, this.game));
    else parts.push(`${decidedWords(this.review, this.game)} `, element('span', { class: 'whole' }, '(', this.link(decided.ply, `ply ${decided.ply}`), ')'));
    if (proven !== null) parts.push(proven ? '; the result is proven after ' : '; the result is proven from the start', ...(proven ? [this.link(proven, `ply ${proven}`)] : []));
    if (swing !== null && swing !== decided.ply) parts.push('; the largest swing was ', this.link(swing, `ply ${swing}`));
    return element('p', { class: 'moment' }, ...parts, '.');
  }

  link(ply, words) {
    return button(words, () => this.go(ply), 'link');
  }

  list(marked) {
    if (!marked.length) return element('p', { class: 'empty' }, 'No inaccuracy, mistake or blunder was found.');
    const rows = marked.map(one => {
      const row = button('', () => this.go(one.ply), `marked ${one.mark}`);
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

  foot(more) {
    const { player, nodes, seconds } = this.review;
    const budget = [...(nodes ? [`${nodes.toLocaleString('en')} positions`] : []), ...(seconds ? [`${seconds} s`] : [])].join(' or ');
    const said = `By ${player}, ${budget} a decision. Percentages are expected scores: 100 % is a win, 50 % a draw. A move that is not listed cost less than 5 %.`;
    return element('p', { class: 'soft small' }, said, ...more);
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
    this.chart.mark(ply);
    for (const row of this.place.querySelectorAll('.marked')) {
      if (Number(row.dataset.ply) === ply) row.setAttribute('aria-current', 'step');
      else row.removeAttribute('aria-current');
    }
  }
}
