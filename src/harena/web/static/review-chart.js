// The course of a game as a drawing: what player 1 could expect after each ply, with a dot for every marked move.

import { make } from './board.js';
import { COURSE, ends, stretched } from './graphs.js';

const { width: WIDTH, height: HEIGHT, side: EDGE } = COURSE;
const MANY = 60; // plies: smaller dots

export class Chart {
  constructor(review, choose) {
    this.review = review;
    this.last = Math.max(1, review.chart.length - 1);
    this.plot = stretched(HEIGHT);
    this.svg = make('svg', { class: review.chart.length > MANY ? 'course dense' : 'course', role: 'img' }, this.plot, ...ends());
    this.svg.setAttribute('aria-label', 'What player 1 could expect after each move: at the top player 1 wins, at the bottom player 2; the list of marked moves has the numbers');
    this.cursor = make('path', { class: 'now' });
    this.svg.addEventListener('click', event => choose(this.plyAt(event.clientX)));
    this.draw();
  }

  x(ply) {
    return EDGE + (WIDTH - 2 * EDGE) * ply / this.last;
  }

  y(ply) {
    return COURSE.middle - COURSE.reach * (2 * this.review.chart[ply] - 1);
  }

  plyAt(clientX) {
    const box = this.svg.getBoundingClientRect();
    const share = ((clientX - box.left) / box.width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    return Math.max(0, Math.min(this.review.chart.length - 1, Math.round(share * this.last)));
  }

  draw() {
    const { chart, exact, decisions, decided } = this.review;
    const at = ply => `${this.x(ply).toFixed(1)} ${this.y(ply).toFixed(1)}`;
    const points = chart.map((_, ply) => at(ply)), bottom = COURSE.middle + COURSE.reach;
    const parts = [
      make('path', { class: 'ground', d: `M${this.x(0)} ${bottom}L${points.join('L')}V${bottom}Z` }),
      make('path', { class: 'even', d: `M0 ${COURSE.middle}H${WIDTH}` }),
    ];
    if (decided.ply && decided.kind !== 'fault') parts.push(make('path', { class: 'decided', d: `M${this.x(decided.ply).toFixed(1)} 0V${HEIGHT}` }, make('title', {}, 'decided here')));
    parts.push(make('path', { class: 'estimate', d: `M${points.join('L')}` }));
    const proven = chart.slice(1).map((_, ply) => exact[ply] && exact[ply + 1] ? `M${points[ply]}L${points[ply + 1]}` : '').join('');
    if (proven) parts.push(make('path', { class: 'proven', d: proven }));
    for (const one of decisions.filter(each => each.mark)) {
      parts.push(make('path', { class: `spot ${one.mark}`, d: `M${at(one.ply)}h.01` }, make('title', {}, `move ${one.ply}: ${one.move}, ${one.mark}`)));
    }
    this.plot.replaceChildren(...parts, this.cursor);
  }

  mark(ply) {
    this.cursor.setAttribute('d', `M${this.x(ply).toFixed(1)} 0V${HEIGHT}`);
  }
}
