// A pane: who thinks about the position, what was found, and the board that shows it.

import { announce, ask, askPosition } from './asking.js';
import { Board } from './board.js';
import { PlayerForm } from './choosing.js';
import { element } from './dom.js';
import { TreeView } from './treeview.js';

const clone = name => document.getElementById(name).content.firstElementChild.cloneNode(true);
const LOOKS = { won: 'good', lost: 'bad', drawn: 'even' };
const whole = number => number === null || number === undefined ? '' : number.toLocaleString('en');

export class Pane {
  constructor(title, page) {
    this.page = page;
    this.element = clone('pane');
    this.name(title);
    this.form = this.find('form');
    this.players = new PlayerForm(this.form, () => page.remember());
    this.board = new Board(this.find('.board-place'));
    this.answer = this.running = this.tree = null;
    this.form.hidden = !page.acts; // nothing in it would do anything
    this.form.addEventListener('submit', event => { event.preventDefault(); this.analyse(); });
    this.find('.stop').addEventListener('click', () => this.stop());
  }

  name(title) {
    this.title = title;
    this.element.setAttribute('aria-label', title);
    this.find('.title').textContent = title;
    this.nameParts();
  }

  // Of two panes, each has names of its own for its parts.
  nameParts() {
    this.find('.tall')?.setAttribute('aria-label', `${this.title}: its moves`);
    this.find('.explorer')?.setAttribute('aria-label', `${this.title}: its tree`);
  }

  find(selector) { return this.element.querySelector(selector); }

  // Another position: what was found about the last one is gone.
  show(state) {
    this.abandon();
    this.state = state;
    this.answer = null;
    this.find(':scope > .explorer')?.remove();
    this.find('.found').replaceChildren(element('p', { class: 'empty' }, state.over ? 'The game is over: there is nothing to analyse.' : this.page.acts ? 'Nothing analysed yet: press Analyse.' : ''));
    this.find('.analyse').disabled = !this.page.acts || state.over || state.mover === 2;
    this.draw();
  }

  get question() {
    const { amount, unit } = this.form.elements, value = Number(amount.value);
    const limits = amount.value && value > 0 ? { [unit.value]: unit.value === 'seconds' ? value : Math.round(value) } : {};
    return { game: this.state.game, position: this.state.position, player: this.players.text, limits };
  }

  async analyse() {
    this.abandon();
    const asked = this.question, ticket = crypto.randomUUID?.() ?? `${Date.now()}-${Math.floor(Math.random() * 1e9)}`;
    const running = this.running = { ticket, aborter: new AbortController() };
    this.think(true, asked.player);
    try {
      const answer = await ask('/api/analyse', { ...asked, ticket }, 'POST', running.aborter.signal);
      if (this.running !== running) return;
      this.answer = answer;
      this.asked = asked;
      this.tell();
      announce(`${asked.player}: ${answer.move}${answer.verdict ? `, ${answer.verdict}` : answer.expected ? `, expected score ${answer.expected}` : answer.label ? `, ${answer.label}` : ''}`);
    } catch (mistake) {
      if (this.running !== running) return;
      this.complain(mistake.message);
    } finally {
      if (this.running === running) { this.running = null; this.think(false); }
      this.page.compare();
    }
  }

  stop() {
    if (!this.running) return;
    this.find('.busy-words').textContent = 'stopping';
    ask('/api/analyse/stop', { ticket: this.running.ticket }).catch(mistake => this.complain(mistake.message));
  }

  // Nobody waits for the running search or a growing tree any more: the server hears that we have gone.
  abandon() {
    this.running?.aborter.abort();
    this.tree?.close();
    this.running = null;
    this.think(false);
  }

  think(busy, who = '') {
    this.element.setAttribute('aria-busy', busy);
    this.find('.busy').hidden = this.find('.stop').hidden = !busy;
    this.find('.busy-words').textContent = busy ? 'thinking' : '';
    if (busy) { this.complain(''); announce(`${who} is thinking`); }
  }

  complain(words) {
    const place = this.form.querySelector('.error');
    place.textContent = words;
    place.hidden = !words;
  }

  tell() {
    const { answer } = this, box = clone('answer');
    this.find('.found').replaceChildren(box);
    this.find(':scope > .explorer')?.remove();
    this.nameParts();
    box.querySelector('.best').textContent = answer.move;
    const worth = box.querySelector('.worth');
    const value = answer.label && `${answer.iterations === null ? 'value' : 'mean reward'} ${answer.label}`;
    worth.textContent = answer.verdict ? `${answer.verdict}, proven` : answer.expected ? `expected score ${answer.expected}` : value;
    if (answer.expected && !answer.verdict) worth.append(' ', element('small', { class: 'soft' }, `(${value})`));
    worth.className = `worth ${LOOKS[answer.verdict] ?? ''}`;
    box.querySelector('.effort').textContent = this.effort();
    this.heats(box.querySelector('.heats'));
    this.line(box);
    this.table(box.querySelector('.root'));
    const place = box.querySelector('.explorer');
    this.element.append(place); // a tree is wide: it has a row of its own
    if (answer.tree) this.tree = new TreeView(place, this.asked, answer);
    else place.append(element('p', { class: 'soft' }, `${answer.player} has no tree to open: try id, alphabeta, minimax, star or mcts.`));
    this.go(0);
  }

  effort() {
    const { answer } = this, parts = [];
    if (answer.iterations !== null) parts.push(`${whole(answer.iterations)} iterations`);
    else if (answer.nodes) parts.push(`${whole(answer.nodes)} nodes`);
    if (answer.depth !== null) parts.push(answer.iterations === null ? `depth ${answer.depth}` : `a line of ${answer.depth}`);
    return `${[...parts, `${answer.seconds.toFixed(3)} s`].join(', ')}; ${answer.stopped}`;
  }

  heats(place) {
    const known = [['visits', 'Visits'], ['values', 'Values']].filter(([kind]) => this.answer.heat[kind]?.length);
    this.heat = known[0]?.[0] ?? 'none';
    const buttons = [...known, ['none', 'No colours']].map(([kind, words]) => {
      const button = element('button', { type: 'button', 'data-heat': kind }, words);
      button.addEventListener('click', () => { this.heat = kind; press(); this.draw(); });
      return button;
    });
    const press = () => { for (const one of buttons) one.setAttribute('aria-pressed', one.dataset.heat === this.heat); };
    press();
    place.replaceChildren(...buttons, ...(known.length ? [element('span', { class: 'soft' }, 'on the board 9 is best, 0 worst')] : []));
  }

  line(box) {
    const steps = this.answer.line, list = box.querySelector('.moves');
    let mover = this.state.mover;
    list.replaceChildren(...steps.map((step, index) => {
      const button = element('button', { type: 'button', class: mover === 0 ? 'first-player' : 'second-player' }, step.move);
      button.addEventListener('click', () => this.go(index + 1));
      const next = /player ([12])/.exec(step.caption);
      if (next) mover = Number(next[1]) - 1;
      return element('li', {}, button);
    }));
    const places = { first: () => 0, back: () => this.at - 1, on: () => this.at + 1, last: () => steps.length };
    for (const button of box.querySelectorAll('[data-step]')) button.addEventListener('click', () => this.go(places[button.dataset.step]()));
    box.querySelector('.line').addEventListener('keydown', event => {
      const step = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last' }[event.key];
      if (step) { event.preventDefault(); this.go(places[step]()); }
    });
    box.querySelector('.goon').addEventListener('click', () => this.page.place(this.state.game, this.shown.position));
  }

  // Show the board after so many moves of the line.
  go(at) {
    const steps = this.answer.line;
    this.at = Math.min(Math.max(at, 0), steps.length);
    this.shown = this.at ? steps[this.at - 1] : null;
    this.find('.found').querySelectorAll('.moves button').forEach((button, index) => {
      button.setAttribute('aria-pressed', index < this.at);
      if (index === this.at - 1) button.setAttribute('aria-current', 'step'); else button.removeAttribute('aria-current');
    });
    const ends = { first: this.at === 0, back: this.at === 0, on: this.at === steps.length, last: this.at === steps.length };
    for (const button of this.element.querySelectorAll('[data-step]')) button.disabled = ends[button.dataset.step];
    this.mark(null);
    if (this.shown) announce(`${this.shown.move}. ${this.shown.caption}`);
    this.draw();
  }

  table(table) {
    const rows = this.answer.root, visited = rows.some(row => row.visits !== null), prior = rows.some(row => row.prior !== null);
    const expects = rows.some(row => row.expected), values = !expects || !visited; // of playouts the mean says the same
    const head = ['move', ...(expects ? ['expected'] : []), ...(values ? ['value'] : []), 'proven', ...(visited ? ['visits', 'share', 'won', 'drawn', 'lost'] : []), ...(prior ? ['prior'] : []), 'warmth'];
    const top = table.createTHead().insertRow();
    for (const words of head) top.append(element('th', { scope: 'col', class: ['move', 'proven', 'warmth'].includes(words) ? '' : 'number' }, words));
    const body = table.createTBody();
    for (const row of rows) {
      const line = body.insertRow(), button = element('button', { type: 'button', title: 'Show it on the board' }, row.move);
      line.dataset.move = row.move;
      button.addEventListener('click', () => this.peek(row));
      const bar = element('span', { class: 'warm', title: `${row.warmth} of 9` });
      bar.style.width = `${row.warmth * 7}px`; // not as an attribute, which the page's policy forbids
      const told = element('td', { class: LOOKS[row.verdict] ?? '' }, row.verdict ?? '');
      const share = row.share === null ? '' : `${(100 * row.share).toFixed(1)} %`;
      const counts = visited ? [whole(row.visits), share, whole(row.won), whole(row.drawn), whole(row.lost)] : [];
      const worth = [...(expects ? [[row.expected, row.label && `value ${row.label}`]] : []), ...(values ? [[row.label || '?', '']] : [])]
        .map(([words, title]) => element('td', { class: 'number', ...(title ? { title } : {}) }, words));
      line.append(element('th', { scope: 'row' }, button), ...worth, told, ...counts.map(words => element('td', { class: 'number' }, words)));
      if (prior) line.append(element('td', { class: 'number' }, row.prior === null ? '' : row.prior.toFixed(3)));
      line.append(element('td', {}, bar));
    }
  }

  // The board after a move of the table.
  async peek(row) {
    this.mark(row.move);
    try {
      const after = await askPosition({ game: this.state.game, text: this.state.position, moves: [row.move] });
      if (this.marked !== row.move) return;
      this.shown = after;
      announce(`${row.move}: ${row.verdict ?? (row.expected ? `expected score ${row.expected}` : row.label)}. ${after.caption}`);
      this.draw();
    } catch (mistake) { this.complain(mistake.message); }
  }

  mark(move) {
    this.marked = move;
    for (const row of this.element.querySelectorAll('.root tbody tr')) row.classList.toggle('chosen', row.dataset.move === move);
  }

  draw() {
    const picture = this.answer && this.shown ? this.shown.picture : this.state.picture;
    if (!picture) return;
    const heat = this.answer && !this.shown ? this.answer.heat[this.heat] ?? [] : [];
    this.board.show({ ...picture, heat });
    this.find('.caption').textContent = this.answer && this.shown ? `after ${this.shown.last ?? this.shown.move}: ${this.shown.caption}` : this.state.caption;
    const goon = this.find('.goon');
    if (goon) goon.hidden = !this.shown;
    if (this.answer && !this.shown) this.board.advise(this.answer.root[0]);
    const moves = this.answer && this.shown ? [] : this.state.moves;
    this.board.offer(moves.length ? moves : null, move => this.attempt(move), { quiet: true });
  }

  // A move that was clicked: after an analysis it is shown, as one of the table; else the position goes on with it.
  attempt(move) {
    const row = this.answer?.root.find(one => one.move === move.text);
    if (row) return this.peek(row);
    return this.page.place(this.state.game, this.state.position, move.spread ? [move.text, `!${move.text.slice(1)}`] : [move.text]); // a throw as if it hits
  }
}
