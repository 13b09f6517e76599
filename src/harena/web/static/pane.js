// A pane: who thinks about the position, what was found, and the board that shows it.

import { announce, ask, askPosition, byId } from './asking.js';
import { Board } from './board.js';
import { PlayerForm } from './choosing.js';
import { element } from './dom.js';
import { TreeView } from './treeview.js';

const clone = name => byId(name).content.firstElementChild.cloneNode(true);
const LOOKS = { won: 'good', lost: 'bad', drawn: 'even' };
const LEVELS = { 10: '10, all it can', 1: '1, a beginner' };
// What the columns of the moves mean, for whoever points at them.
const COLUMNS = {
  expected: 'The score that the player to move can expect: 100 % is a win, 50 % a draw, 0 % a loss',
  value: 'What the search says the move is worth to the player to move, on its own scale',
  proven: 'How the game ends after this move if nobody errs: searched to the very end',
  visits: 'How many of its playouts began with this move',
  share: 'The visits of this move among those of all moves',
  won: 'Playouts that the player to move has won',
  drawn: 'Playouts that ended in a draw',
  lost: 'Playouts that the player to move has lost',
  prior: 'What the heuristic thought of the move before any playout',
  warmth: 'How good the move is among these, as the colours on the board: 9 is the best, 0 the worst',
};
const landing = move => (move.startsWith('@') ? [`!${move.slice(1)}`] : []); // a throw as if it hits
const whole = number => number === null || number === undefined ? '' : number.toLocaleString('en');

// The form of a player, which says what each option means.
class Asking extends PlayerForm {
  follow() {
    super.follow();
    if (!this.form.elements.choice.value) this.form.querySelector('.as-text').open = true; // only the text says who it is
  }

  control(one) {
    const label = super.control(one);
    if (one.about) label.title = one.about;
    if (one.name === 'level') {
      label.firstChild.data = 'Level';
      for (const each of label.querySelectorAll('option')) each.textContent = LEVELS[each.value] ?? each.value;
    }
    return label;
  }
}

export class Pane {
  constructor(title, page) {
    this.page = page;
    this.element = clone('pane');
    this.name(title);
    this.form = this.find('form');
    this.players = new Asking(this.form, () => page.remember());
    this.board = new Board(this.find('.board-place'));
    this.answer = this.shown = this.running = this.tree = null;
    this.form.hidden = !page.acts; // nothing in it would do anything
    this.form.addEventListener('submit', event => { event.preventDefault(); this.analyse(); this.reveal(); });
    this.find('.back').addEventListener('click', () => this.back());
    this.find('.goon').addEventListener('click', () => this.goOn());
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
    this.answer = this.shown = this.marked = null;
    this.find(':scope > .explorer')?.remove();
    this.find('.found').replaceChildren(element('p', { class: 'empty' }, state.over ? 'The game is over: there is nothing to analyse.' : this.page.acts ? 'Nothing analysed yet: press Analyse.' : ''));
    this.draw();
  }

  get question() {
    const { amount, unit } = this.form.elements, value = Number(amount.value);
    const limits = amount.value && value > 0 ? { [unit.value]: unit.value === 'seconds' ? value : Math.round(value) } : {};
    return { game: this.state.game, position: this.state.position, player: this.players.text, limits };
  }

  // What is seen is analysed: whoever looks ahead goes on from there first.
  async analyse() {
    if (this.shown && !(await this.goOn())) return;
    if (this.find('.analyse').disabled) return; // the game is over there
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
  }

  // Show the board after so many moves of the line.
  go(at) {
    const steps = this.answer.line;
    this.at = Math.min(Math.max(at, 0), steps.length);
    this.mark(null);
    const step = steps[this.at - 1];
    this.look(step ? { ...step, before: steps[0].move } : null);
    if (step) announce(`${step.move}. ${step.caption}`);
  }

  // Show a position ahead, or none; which moves there are comes a moment later.
  async look(shown) {
    this.shown = shown;
    this.press();
    this.draw();
    if (!shown || shown.moves) return;
    try {
      const { moves, over } = await askPosition({ game: this.state.game, text: shown.position });
      if (this.shown !== shown) return;
      Object.assign(shown, { moves, over });
      this.draw();
    } catch (mistake) { this.complain(mistake.message); }
  }

  // The buttons of the line say where we are in it, and lead back from wherever we look.
  press() {
    const steps = this.answer.line;
    this.find('.found').querySelectorAll('.moves button').forEach((button, index) => {
      button.setAttribute('aria-pressed', index < this.at);
      if (index === this.at - 1) button.setAttribute('aria-current', 'step'); else button.removeAttribute('aria-current');
    });
    const ends = { first: !this.shown, back: !this.shown, on: this.at === steps.length, last: this.at === steps.length };
    for (const button of this.element.querySelectorAll('[data-step]')) button.disabled = ends[button.dataset.step];
  }

  // From a look ahead to the position that was analysed.
  back() {
    if (!this.shown) return;
    const held = this.find('.ahead').contains(document.activeElement); // what is hidden cannot keep the focus
    this.go(0);
    if (held) this.board.svg.focus({ preventScroll: true });
    announce(`back: ${this.state.caption}`);
  }

  // The position that is seen becomes the one that is analysed.
  goOn() { return this.page.place(this.state.game, this.shown.position, landing(this.shown.move), true); }

  // Where the page is one column the board is far from what was pressed.
  reveal() { this.find('.stays').scrollIntoView({ block: 'nearest' }); }

  table(table) {
    const rows = this.answer.root, visited = rows.some(row => row.visits !== null), prior = rows.some(row => row.prior !== null);
    const expects = rows.some(row => row.expected), values = !expects || !visited; // of playouts the mean says the same
    const head = ['move', ...(expects ? ['expected'] : []), ...(values ? ['value'] : []), 'proven', ...(visited ? ['visits', 'share', 'won', 'drawn', 'lost'] : []), ...(prior ? ['prior'] : []), 'warmth'];
    const top = table.createTHead().insertRow();
    for (const words of head) top.append(element('th', { scope: 'col', class: ['move', 'proven', 'warmth'].includes(words) ? '' : 'number', ...(COLUMNS[words] ? { title: COLUMNS[words] } : {}) }, words));
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
      this.at = 0;
      this.look({ ...after, move: row.move, before: row.move });
      announce(`${row.move}: ${row.verdict ?? (row.expected ? `expected score ${row.expected}` : row.label)}. ${after.caption}`);
      this.reveal();
    } catch (mistake) { this.complain(mistake.message); }
  }

  mark(move) {
    this.marked = move;
    for (const row of this.element.querySelectorAll('.root tbody tr')) row.classList.toggle('chosen', row.dataset.move === move);
  }

  draw() {
    const { shown } = this, { picture, over, mover, moves } = shown ?? this.state;
    this.find('.analyse').disabled = !this.page.acts || over || mover === 2 && !shown; // a throw ahead goes on as if it hits
    this.find('.caption').textContent = shown ? this.whereabouts() : this.state.caption;
    this.find('.ahead').hidden = !shown;
    const before = this.find('.before');
    if (before) before.textContent = shown ? `Before ${shown.before}: ` : '';
    if (!picture) return;
    this.board.show({ ...picture, heat: this.answer && !shown ? this.answer.heat[this.heat] ?? [] : [] });
    if (this.answer && !shown) this.board.advise(this.answer.root[0]);
    this.board.offer(moves?.length ? moves : null, move => this.attempt(move), { quiet: true, onMiss: () => announce('no move leads there') });
  }

  // Where a look ahead is, in words.
  whereabouts() {
    const { move, caption } = this.shown;
    return `After ${move}${this.at > 1 ? `, move ${this.at} of the line` : ''}: ${caption}`;
  }

  // A move that was clicked: after an analysis it is shown, as one of the table; else the position that is seen goes on with it.
  attempt(move) {
    const row = this.shown ? null : this.answer?.root.find(one => one.move === move.text);
    if (row) return this.peek(row);
    return this.page.place(this.state.game, (this.shown ?? this.state).position, [move.text, ...landing(move.text)]);
  }
}
