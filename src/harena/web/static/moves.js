// The table of a game's moves, and the signs of the viewer's buttons. No network.

import { make } from './board.js';
import { element } from './dom.js';
import { seen, timeText, valueText } from './graphs.js';

const ICONS = {
  first: 'M4 3v10M13 3L6 8l7 5z', back: 'M11 3L4 8l7 5z', play: 'M4 2.5L13 8l-9 5.5z', pause: 'M5 3v10M11 3v10',
  next: 'M5 3l7 5-7 5z', last: 'M12 3v10M3 3l7 5-7 5z',
};

export function icon(name) {
  return make('svg', { class: 'sign', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, make('path', { d: ICONS[name] }));
}

export class MoveTable {
  constructor(game, choose) {
    this.game = game;
    this.choose = choose;
    this.body = element('tbody');
    const head = element('thead', {}, element('tr', {}, ...['#', 'by', 'move', 'mover’s value', 'depth', 'time']
      .map((name, index) => element('th', { scope: 'col', ...(index > 2 || index === 0 ? { class: 'number' } : {}) }, name))));
    this.box = element('div', { class: 'moves', role: 'region', 'aria-label': 'moves', tabindex: 0 }, element('table', {}, head, this.body));
    this.body.addEventListener('click', event => {
      const row = event.target.closest('tr');
      if (row) choose(Number(row.dataset.ply));
    });
  }

  // Rows are only added: a game that is being played has many readers, and the one who scrolls is not disturbed.
  draw(notes) {
    const said = new Map(notes.map(note => [note.ply, note]));
    for (let ply = this.body.children.length; ply < seen(this.game).length; ply++) this.body.append(this.row(ply));
    for (const row of this.body.children) {
      const note = said.get(Number(row.dataset.ply)), sign = row.querySelector('.sign-of');
      sign.textContent = note?.sign ?? '';
      sign.className = `sign-of ${note?.kind ?? ''}`;
      sign.title = note?.words ?? '';
    }
  }

  row(index) {
    const ply = this.game.plies[index];
    const button = element('button', { type: 'button', class: 'move', tabindex: -1 }, ply.move ?? 'start');
    const number = (...children) => element('td', { class: 'number' }, ...children);
    const by = ply.by === null ? '' : ply.by === 2 ? '·' : String(ply.by + 1);
    const badge = element('span', { class: 'badge' }, by);
    if (ply.by === 2) badge.title = 'chance';
    return element('tr', { 'data-ply': index, class: ply.by === null ? '' : `seat-${ply.by + 1}` },
      number(String(index)), element('td', {}, ...(by ? [badge] : [])), element('td', {}, button, element('span', { class: 'sign-of' })),
      number(valueText(this.game, ply)), number(ply.depth === null ? '' : String(ply.depth)), number(timeText(ply.seconds)));
  }

  mark(index) {
    if (this.current) {
      this.current.removeAttribute('aria-current');
      this.current.querySelector('button').tabIndex = -1;
    }
    this.current = this.body.children[index];
    if (!this.current) return;
    this.current.setAttribute('aria-current', 'step');
    this.current.querySelector('button').tabIndex = 0;
    const { offsetTop: top, offsetHeight: high } = this.current, { scrollTop, clientHeight } = this.box, head = 2 * high;
    if (top < scrollTop + head) this.box.scrollTop = top - head; // not scrollIntoView, which would move the page
    else if (top + high > scrollTop + clientHeight - high) this.box.scrollTop = top + 2 * high - clientHeight;
  }
}
