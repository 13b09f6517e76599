// The position editor: clicks change the board at once, the server says whether the position is legal.

import { announce, askPosition, byId } from './asking.js';
import { Board, cellName, icon, make, sidePath, UNIT } from './board.js';
import { option } from './choosing.js';
import { copy } from './copying.js';
import { element } from './dom.js';
import { Position, TOOLS } from './position.js';
import { Stroke, sideAt } from './stroke.js';

const given = JSON.parse(byId('given').textContent);
const PICTURES = { 1: 'player 1', 2: 'player 2', R: 'red', B: 'blue', X: 'gap' };
const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

class Editor {
  constructor() {
    this.board = new Board(byId('board'));
    this.cursor = null;
    this.asked = 0;
    this.loading = null; // what the server was asked for and has not given yet
    this.stroke = null;
    const { svg } = this.board;
    svg.addEventListener('pointerdown', event => this.press(event));
    svg.addEventListener('pointermove', event => this.hover(event));
    for (const kind of ['pointerup', 'pointercancel']) svg.addEventListener(kind, () => this.release());
    svg.addEventListener('pointerleave', () => this.foresee(this.cursor));
    svg.addEventListener('keydown', event => this.key(event));
    byId('game').addEventListener('change', () => this.start(byId('game').value));
    for (const name of ['rows', 'columns']) byId(name).addEventListener('change', () => this.resize(name));
    for (const name of ['player', 'colour', 'stage', 'turns']) byId(name).addEventListener('change', () => this.set(name));
    byId('setup').addEventListener('click', () => this.start(this.position.game, byId('setups').value));
    byId('clear').addEventListener('click', () => { this.position.clear(); this.changed(); });
    byId('copy').addEventListener('click', () => copy(byId('text').value, byId('copy')));
    byId('use').addEventListener('click', () => this.load(this.position.game, byId('text').value));
    byId('text').addEventListener('input', () => this.load(this.position.game, byId('text').value, true));
    for (const link of document.querySelectorAll('.onwards')) {
      link.addEventListener('click', event => { if (link.getAttribute('aria-disabled') === 'true') event.preventDefault(); });
    }
    const mistake = byId('verdict').classList.contains('error') ? byId('verdict').textContent : '';
    this.open(given.state);
    if (mistake) this.say(`The position in the address cannot be shown: ${mistake}`, true); // what is shown is legal
  }

  // A position that the server has checked.
  open(state) {
    this.position = new Position(state.game, state.position);
    this.cursor = null;
    this.form();
    this.draw();
    byId('text').value = state.position;
    this.verdict(state);
  }

  // The controls that this game has, as this position is.
  form() {
    const { game } = this.position, entry = given.games[game], [least, most] = entry.sizes;
    byId('game').value = game;
    const sizes = Array.from({ length: most - least + 1 }, (_, index) => least + index);
    byId('rows').replaceChildren(...sizes.map(size => option(size, size, size === this.position.rows)));
    byId('columns').replaceChildren(...sizes.map(size => option(size, size, size === this.position.columns)));
    byId('rows-name').textContent = entry.rectangles ? 'Rows' : 'Size';
    byId('columns-field').hidden = !entry.rectangles;
    byId('setups').replaceChildren(...entry.setups.map(([name, words]) => option(name, `${name}: ${words}`)));
    byId('notation').textContent = entry.notation.find(line => line.startsWith('position')) ?? '';
    byId('tools').replaceChildren(...TOOLS[game].map(([symbol, words]) => this.tool(symbol, words)));
    if (!TOOLS[game].some(([symbol]) => symbol === this.symbol)) this.choose(TOOLS[game][0][0]);
    else this.choose(this.symbol);
    byId('stage-field').hidden = byId('turns-field').hidden = game !== 'trap';
    byId('colour-field').hidden = game !== 'tiles';
    this.follow();
  }

  tool(symbol, words) {
    const button = element('button', { type: 'button', class: 'tool', 'data-symbol': symbol });
    const picture = PICTURES[symbol] ?? (symbol === 'x' ? (this.position.game === 'trap' ? 'trap' : 'blocked') : null);
    if (picture) button.append(icon(picture));
    button.append(words);
    button.addEventListener('click', () => this.choose(symbol));
    return button;
  }

  choose(symbol) {
    this.symbol = symbol;
    for (const button of byId('tools').children) button.setAttribute('aria-pressed', button.dataset.symbol === symbol);
    byId('help').textContent = symbol === '|'
      ? 'Click near a side of a cell to build or remove a wall, or draw along the sides. With keys: arrows choose a cell, u r d l its side.'
      : 'Click cells to place it, or draw over them; click again to take it away. With keys: arrows and Enter.';
  }

  // The controls say what the position says.
  follow() {
    const { player, colour, stage, turns } = this.position;
    byId('player').value = player;
    if (colour) byId('colour').value = colour;
    if (!stage) return;
    byId('flying').textContent = stage.startsWith('@') ? `in the air at ${stage.slice(1)}` : 'in the air (choose the target on the board)';
    byId('flying').disabled = !stage.startsWith('@');
    byId('stage').value = stage.startsWith('@') ? '@' : stage;
    byId('turns').value = turns;
  }

  set(name) {
    const value = byId(name).value;
    if (name === 'turns') this.position.turns = String(Math.max(0, Math.round(Number(value) || 0)));
    else if (name !== 'stage' || value !== '@') this.position[name] = value;
    this.changed();
  }

  resize(name) {
    const square = !given.games[this.loading?.asked.game ?? this.position.game].rectangles, size = Number(byId(name).value);
    if (this.loading) {
      this.resizeLater(square ? [size, size] : [Number(byId('rows').value), Number(byId('columns').value)]);
      return;
    }
    const rows = name === 'rows' || square ? size : this.position.rows, columns = name === 'columns' || square ? size : this.position.columns;
    this.position.resize(rows, columns);
    byId('columns').value = columns;
    this.changed();
  }

  // Another size while a position is on its way: a start is asked for anew in this size, any other fits itself when it is here.
  resizeLater([rows, columns]) {
    const { asked, typing } = this.loading, [least, most] = given.games[asked.game].sizes;
    const [down, right] = [rows, columns].map(side => Math.min(Math.max(side, least), most));
    if (asked.text === undefined) return this.take({ ...asked, size: `${down}x${right}` });
    return this.take(asked, typing, [down, right]);
  }

  start(game, setup = '') {
    const size = game === this.position.game ? `${this.position.rows}x${this.position.columns}` : '';
    return this.take({ game, size, setup, start: Math.floor(Math.random() * 2 ** 31) });
  }

  load(game, text, typing = false) { return this.take({ game, text: text.trim() || '?' }, typing); }

  // Ask the server for a position and open it; while somebody types the text stays as it is.
  async take(asked, typing = false, size = null) {
    const number = ++this.asked;
    this.loading = { asked, typing };
    try {
      const state = await askPosition(asked);
      if (number !== this.asked) return;
      this.loading = null;
      const text = byId('text').value;
      this.open(state);
      if (typing) byId('text').value = text;
      announce(`${given.games[state.game].title}: ${state.caption}`);
      if (size) { this.position.resize(...size); this.form(); this.changed(); }
    } catch (mistake) {
      if (number !== this.asked) return;
      this.loading = null;
      this.refuse(mistake.message);
    }
  }

  // Something was clicked: the board and the text follow at once, then the server has its say.
  async changed() {
    const { text, game } = this.position, number = ++this.asked;
    this.loading = null; // whoever goes on with what there is does not want the other any more
    this.draw();
    this.follow();
    byId('text').value = text;
    try {
      const state = await askPosition({ game, text });
      if (number === this.asked) this.verdict(state);
    } catch (mistake) { if (number === this.asked) this.refuse(mistake.message); }
  }

  verdict(state) {
    this.say(state.over ? `Legal, but the game is over: ${state.caption}` : `Legal: ${state.caption}`, false);
    const query = new URLSearchParams({ game: state.game, position: state.position });
    byId('to-play').href = `/play?${query}`;
    byId('to-understand').href = `/understand?${query}`;
    history.replaceState(null, '', `/editor?${query}`);
    for (const link of document.querySelectorAll('.onwards')) link.setAttribute('aria-disabled', state.over);
  }

  refuse(words) {
    this.say(words, true);
    for (const link of document.querySelectorAll('.onwards')) link.setAttribute('aria-disabled', 'true');
  }

  say(words, wrong) {
    byId('verdict').textContent = words;
    byId('verdict').className = wrong ? 'error' : 'legal';
  }

  draw() {
    this.board.show(this.position.picture);
    this.foresee(this.cursor);
  }

  press(event) {
    const point = this.board.pointAt(event);
    if (event.button || !event.isPrimary || !this.board.cellAt(point)) return;
    this.board.svg.setPointerCapture(event.pointerId);
    this.stroke = new Stroke(this.position, this.symbol, point);
    this.draw();
  }

  release() {
    if (!this.stroke) return;
    this.stroke.end();
    this.stroke = null;
    this.changed();
  }

  hover(event) {
    const point = this.board.pointAt(event), cell = this.board.cellAt(point);
    if (this.stroke?.to(point)) this.draw();
    this.foresee(cell, cell && this.symbol === '|' ? sideAt(point).side : null);
  }

  foresee(cell, side = null) {
    const layer = this.board.targets;
    layer.replaceChildren();
    if (!cell) return;
    const box = { x: cell[1] * UNIT + 3, y: cell[0] * UNIT + 3, width: UNIT - 6, height: UNIT - 6 };
    layer.append(side ? make('path', { class: 'preview', d: sidePath(...cell, side) }) : make('rect', { class: 'cursor', ...box }));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, columns } = this.position;
    if (KEYS[event.key]) {
      const [row, column] = this.cursor ?? [0, 0], [down, right] = this.cursor ? KEYS[event.key] : [0, 0];
      this.cursor = [Math.min(Math.max(row + down, 0), rows - 1), Math.min(Math.max(column + right, 0), columns - 1)];
      announce(`${cellName(...this.cursor)} ${this.position.symbol(...this.cursor)}`);
      this.foresee(this.cursor);
    } else if (this.symbol === '|' && this.cursor && 'urdl'.includes(event.key) && event.key.length === 1) {
      this.position.turnWall(...this.cursor, event.key);
      this.changed();
    } else if ((event.key === 'Enter' || event.key === ' ') && this.cursor && this.symbol !== '|') {
      this.position.put(this.symbol, ...this.cursor);
      this.changed();
    } else return;
    event.preventDefault();
  }
}

new Editor();
