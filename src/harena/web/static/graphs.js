// Two small drawings of a game: what both agents thought of it, and how long they took. No page, no network.

import { make } from './board.js';

// One scale for the course of a game, here and in a review: what player 1 may expect, from lost (-1) to won (1).
export const COURSE = { width: 600, side: 14, height: 136, middle: 68, reach: 52 };
const WIDTH = COURSE.width, LEFT = COURSE.side, RIGHT = COURSE.side;
const NEARLY = .8; // of a win: such a value says won or lost, and would make all others look alike
const ALMOST = .9; // so far from the middle it stands
const BARS = { height: 56, base: 46, reach: 40 };

// The plies that may be seen: of a game that is watched those up to the one that was shown, so that no graph tells the end.
export const seen = game => game.seen === undefined ? game.plies : game.plies.slice(0, game.seen + 1);

// What a seat's values mean: their place between lost (-1) and won (1) for player 1, that in words, and whether it is known.
export function scaleOf(game, seat) {
  const scale = game.scales?.[seat] ?? null, sign = seat === 0 ? 1 : -1;
  const open = seen(game).filter(ply => ply.by === seat && ply.value !== null && !isSettled(scale, ply.value, NEARLY)).map(ply => Math.abs(ply.value));
  const most = Math.max(0, ...open), decided = seen(game).some(ply => ply.by === seat && ply.value !== null && isSettled(scale, ply.value, NEARLY));
  const clip = share => Math.max(-1, Math.min(1, share));
  if (scale && Math.abs(scale.win) < 1000) {
    const half = (scale.win - scale.loss) / 2 || 1, even = (scale.win + scale.loss) / 2;
    return { place: ply => sign * clip((ply.value - even) / half), words: 'expected result, from lost to won', isKnown: true };
  }
  if (seen(game).some(ply => ply.by === seat && hasExpected(ply))) {
    return { place: ply => sign * (isSettled(scale, ply.value) ? Math.sign(ply.value) : 2 * ply.expected - 1), words: 'expected score, from lost to won', isKnown: true };
  }
  const edge = scale ? 1.25 * most || 1 : most || 1; // room at the edges for what is proven, or as good as that
  return {
    place: ({ value }) => sign * (isSettled(scale, value) ? Math.sign(value) : isSettled(scale, value, NEARLY) ? Math.sign(value) * ALMOST : clip(value / edge)),
    words: `own scale${most ? `, up to ±${Number(most.toPrecision(3))}` : decided ? '' : ', 0 all the time'}${decided ? '; near the edge: as good as won or lost, at the edge: for sure' : ''}`,
  };
}

// The seats whose values are drawn: those whose meaning is known; where it is of neither, both, each on its own scale.
export function drawnSeats(game) {
  const valued = [0, 1].filter(seat => seen(game).some(ply => ply.by === seat && ply.value !== null));
  const known = valued.filter(seat => scaleOf(game, seat).isKnown);
  return known.length ? known : valued;
}

// Whether the share of the points is known that a value lets its player expect; documents of older versions do not say.
const hasExpected = ply => typeof ply.expected === 'number';

const isSettled = (scale, value, share = 1) => scale !== null && Math.abs(scale.win) >= 1000 && Math.abs(value) >= share * scale.win;

// A value as people read it: in per cent it is the share of the points that its player expects.
export function valueText(game, ply) {
  const scale = game.scales?.[ply.by] ?? null;
  if (ply.value === null) return '';
  if (isSettled(scale, ply.value)) return ply.value > 0 ? 'wins' : 'loses';
  if (hasExpected(ply)) return `${Math.round(100 * ply.expected)} %`;
  return String(Number(ply.value.toPrecision(3))).replace(/^-/, '−');
}

export const timeText = seconds => seconds === null ? '' : seconds < .0995 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`;

// What the ends of the scale mean; beside the plot, which is stretched, so that letters are not.
export const ends = () => [
  make('text', { class: 'end-of', x: 6, y: 14 }, 'player 1 wins'), make('text', { class: 'end-of', x: 6, y: '100%', dy: -6 }, 'player 2 wins')];

// A drawing as wide as its place, in which the plot is stretched.
export const stretched = height => make('svg', { width: '100%', height: '100%', viewBox: `0 0 ${WIDTH} ${height}`, preserveAspectRatio: 'none' });

class Graph {
  constructor(game, name, kind, choose) {
    this.game = game;
    this.kind = kind;
    this.plot = stretched(kind.height);
    this.svg = make('svg', { class: `graph ${name}`, role: 'img' }, this.plot);
    this.cursor = make('path', { class: 'now' });
    this.svg.addEventListener('click', event => choose(this.plyAt(event.clientX)));
  }

  x(ply) {
    const last = Math.max(1, seen(this.game).length - 1);
    return LEFT + (WIDTH - LEFT - RIGHT) * ply / last;
  }

  plyAt(clientX) {
    const box = this.svg.getBoundingClientRect(), last = seen(this.game).length - 1;
    const share = ((clientX - box.left) / box.width * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    return Math.max(0, Math.min(last, Math.round(share * last)));
  }

  mark(ply) {
    this.cursor.setAttribute('d', `M${this.x(ply).toFixed(1)} 0V${this.kind.height}`);
  }
}

export class ValueGraph extends Graph {
  constructor(game, choose) {
    super(game, 'values', COURSE, choose);
    this.svg.append(...ends());
    this.notes = [];
  }

  // `notes` are [{ply, kind, sign, words}]: marks on the curves, as a review gives them. A move whose value is not drawn has none: it would look like a value.
  draw(notes = this.notes) {
    this.notes = notes;
    const parts = [make('path', { class: 'even', d: `M0 ${COURSE.middle}H${WIDTH}` })];
    const places = new Map();
    for (const seat of drawnSeats(this.game).reverse()) {
      const { place } = scaleOf(this.game, seat);
      const points = seen(this.game).flatMap((ply, index) => ply.by === seat && ply.value !== null
        ? [[this.x(index), COURSE.middle - COURSE.reach * place(ply), index]] : []);
      if (points.length) parts.push(make('polyline', { class: `curve seat-${seat + 1}`, points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ') }));
      for (const [x, y, index] of points) {
        places.set(index, y);
        parts.push(make('path', { class: `dot seat-${seat + 1}`, d: `M${x.toFixed(1)} ${y.toFixed(1)}h.01` }));
      }
    }
    for (const note of notes.filter(one => places.has(one.ply))) {
      parts.push(make('path', { class: `note ${note.kind}`, d: `M${this.x(note.ply).toFixed(1)} ${places.get(note.ply).toFixed(1)}h.01` }, make('title', {}, note.words)));
    }
    this.plot.replaceChildren(...parts, this.cursor);
    this.svg.setAttribute('aria-label', 'What both agents thought of the game: at the top player 1 wins, at the bottom player 2; the table of moves has the numbers');
  }

  has() {
    return seen(this.game).some(ply => ply.value !== null);
  }
}

export class TimeBars extends Graph {
  constructor(game, choose) {
    super(game, 'times', BARS, choose);
  }

  draw() {
    const timed = seen(this.game).flatMap((ply, index) => ply.seconds === null ? [] : [[ply, index]]);
    const most = Math.max(1e-9, ...timed.map(([ply]) => ply.seconds));
    const wide = Math.max(1, Math.min(14, (WIDTH - LEFT - RIGHT) / seen(this.game).length * .8));
    const bars = timed.map(([ply, index]) => {
      const tall = Math.max(1, BARS.reach * ply.seconds / most);
      const bar = make('rect', { class: `bar seat-${ply.by + 1}`, x: (this.x(index) - wide / 2).toFixed(1), y: (BARS.base - tall).toFixed(1), width: wide.toFixed(1), height: tall.toFixed(1) });
      bar.append(make('title', {}, `move ${index}: ${timeText(ply.seconds)}`));
      return bar;
    });
    this.plot.replaceChildren(make('path', { class: 'even', d: `M0 ${BARS.base}H${WIDTH}` }), ...bars, this.cursor);
    this.svg.setAttribute('aria-label', `Time of every move, at most ${timeText(most)}; the table of moves has the numbers`);
    this.most = most;
  }

  has() {
    return seen(this.game).some(ply => ply.seconds !== null);
  }
}
