// A viewer of one game: it needs the document of web/replays.py and an element, and no network, so that the same file
// serves a page, a frame and an exported file.
//
//   const viewer = new Viewer(element, game, { hash: true, live: false, playing: false, words: null });
//   viewer.show(12);                // a ply
//   viewer.append(ply);             // of a game that is being played: kept, and shown when its time comes
//   viewer.finish(result);          // told when the last ply has been shown, like values and times
//   `words` are deed and latest of table.js, which say a move as Play does; without them moves are told as they are written.
//   viewer.annotate([{ ply, kind, sign, words }]);   // kind: inaccuracy, mistake, blunder, decided

import { Board } from './board.js';
import { element } from './dom.js';
import { MoveTable, icon } from './moves.js';
import { move } from './motion.js';
import { TimeBars, ValueGraph, drawnSeats, scaleOf, seen, timeText, valueText } from './graphs.js';

const SPEEDS = [['0.5', '½ a second'], ['1', '1 a second'], ['2', '2 a second'], ['5', '5 a second'], ['20', '20 a second'], ['played', 'as it was played']];
const SMOOTH = 1; // moves a second that leave time to see pieces go
const LONGEST = 10, SHORTEST = .2, CHANCE = .6; // seconds of a move that is shown as it was played

const KEYS = 'Keys: ← → step, Home and End jump, space plays and pauses, + − set the speed.';

const begun = words => words[0].toUpperCase() + words.slice(1); // a sentence

export class Viewer {
  constructor(place, game, { hash = false, live = false, veiled = live, playing = false, speed = '1', words = null, onShow = null, onEnd = null } = {}) {
    this.place = place;
    this.game = game;
    this.live = live;
    if (veiled) game.seen = 0; // whoever watches learns nothing before its time
    this.hash = hash;
    this.say = words;
    this.onShow = onShow;
    this.onEnd = onEnd;
    this.ply = 0;
    this.notes = [];
    this.build(speed);
    this.redraw();
    this.listen();
    this.show(this.wanted() ?? 0, true);
    if (this.wanted() !== null) this.link();
    if (playing) this.play();
  }

  build(speed) {
    const button = (name, sign, act) => {
      const made = element('button', { type: 'button', class: 'icon', 'aria-label': name, title: name }, icon(sign));
      made.addEventListener('click', act);
      return made;
    };
    this.boardPlace = element('div', { class: 'stage' });
    this.caption = element('p', { class: 'caption', role: 'status', 'aria-live': 'polite' });
    this.end = element('p', { class: 'end' });
    this.slider = element('input', { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'move' });
    this.count = element('span', { class: 'count' });
    this.playButton = button('play (space)', 'play', () => this.toggle());
    this.speed = element('select', { 'aria-label': 'speed' }, ...SPEEDS.map(([value, words]) => element('option', { value }, words)));
    this.speed.value = speed;
    this.liveButton = element('button', { type: 'button', class: 'newest' }, 'newest');
    this.liveButton.addEventListener('click', () => this.catchUp());
    const bar = element('div', { class: 'transport' },
      button('to the start (Home)', 'first', () => this.go(0)), button('back (left arrow)', 'back', () => this.go(this.ply - 1)),
      this.playButton, button('on (right arrow)', 'next', () => this.go(this.ply + 1)), button('to the end (End)', 'last', () => this.go(this.last)),
      this.speed);
    this.names = element('div', { class: 'names' });
    this.moves = new MoveTable(this.game, ply => this.go(ply));
    this.values = new ValueGraph(this.game, ply => this.go(ply));
    this.times = new TimeBars(this.game, ply => this.go(ply));
    this.valueWords = element('p', { class: 'soft small' });
    this.timeWords = element('p', { class: 'soft small' });
    this.valueFigure = element('figure', {}, element('h3', {}, 'Who is winning, as each saw it'), this.values.svg, this.valueWords);
    this.timeFigure = element('figure', {}, element('h3', {}, 'Time'), this.times.svg, this.timeWords);
    this.place.replaceChildren(
      element('div', { class: 'left' }, this.names, this.boardPlace, this.caption, element('div', { class: 'scrub' }, this.slider, this.count, this.liveButton), bar, element('p', { class: 'keys soft small' }, KEYS)),
      element('div', { class: 'right' }, this.end, this.valueFigure, this.timeFigure, this.moves.box));
    this.place.classList.add('viewer');
    this.board = new Board(this.boardPlace);
    this.board.svg.setAttribute('role', 'img');
    this.board.svg.removeAttribute('tabindex'); // there is nothing to choose on it
  }

  get last() {
    return this.game.plies.length - 1;
  }

  // Whether the end may be told.
  get told() {
    return this.game.end !== null && (this.game.seen ?? this.last) >= this.last;
  }

  // Everything that depends on the whole game.
  redraw() {
    const plies = seen(this.game);
    this.values.draw(this.notes);
    this.times.draw();
    this.moves.draw(this.notes);
    this.valueFigure.hidden = !this.values.has();
    this.timeFigure.hidden = !this.times.has();
    const drawn = drawnSeats(this.game);
    this.valueWords.textContent = `${[0, 1].filter(seat => plies.some(ply => ply.by === seat && ply.value !== null))
      .map(seat => (drawn.includes(seat) ? `Player ${seat + 1} (${seat ? 'dashed' : 'solid'}): ${scaleOf(this.game, seat).words}`
        : `Player ${seat + 1} has numbers that only it understands: they stand in the table of moves`)).join('. ')}.`;
    const used = seat => plies.reduce((sum, ply) => sum + (ply.by === seat ? ply.seconds ?? 0 : 0), 0);
    this.timeWords.textContent = `Player 1: ${timeText(used(0))} in all, player 2: ${timeText(used(1))}; the longest move took ${timeText(this.times.most)}.`;
    const broken = this.told && !this.game.status && this.game.trouble; // a game that is watched says itself what is wrong
    this.end.textContent = [this.told && this.game.end, broken && `The record breaks off here: ${broken}`].filter(Boolean).join(' ');
    this.end.classList.toggle('error', Boolean(broken));
    this.end.hidden = !this.end.textContent;
    this.names.replaceChildren(...this.game.seats.map((name, seat) => element('div', { class: `name seat-${seat + 1}` },
      element('span', { class: 'badge', 'aria-label': `player ${seat + 1}` }, String(seat + 1)), element('span', { class: 'who', title: name }, name),
      ...(this.told && this.game.winner === seat ? [element('span', { class: 'won' }, 'won')] : []))));
    this.slider.max = this.last;
  }

  listen() {
    this.slider.addEventListener('input', () => this.go(Number(this.slider.value)));
    this.speed.addEventListener('change', () => { if (this.timer) this.wait(); });
    this.onKey = event => this.key(event);
    document.addEventListener('keydown', this.onKey);
    this.onHash = event => { // not what the address is by now: we may have changed it ourselves
      const ply = this.wanted(event.newURL || location.href);
      if (ply === this.ply) this.link(); // a ply beyond the end is the last
      else if (ply !== null) this.go(ply);
    };
    if (this.hash) window.addEventListener('hashchange', this.onHash);
  }

  close() {
    this.pause();
    clearTimeout(this.linking);
    document.removeEventListener('keydown', this.onKey);
    window.removeEventListener('hashchange', this.onHash);
  }

  wanted(address = location.href) {
    const found = this.hash && /^#ply=(\d{1,5})$/.exec(new URL(address).hash);
    return found ? Math.min(Number(found[1]), this.last) : null;
  }

  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest?.('textarea, select, input:not([type=range]), dialog')) return;
    if (event.key === ' ' && target.closest?.('button, a, summary')) return; // space presses it
    const acts = {
      ArrowLeft: () => this.go(this.ply - 1), ArrowRight: () => this.go(this.ply + 1), Home: () => this.go(0), End: () => this.go(this.last),
      ' ': () => this.toggle(), '+': () => this.faster(1), '-': () => this.faster(-1),
    };
    if (!acts[event.key]) return;
    event.preventDefault(); // the slider's own steps too: they would come twice
    acts[event.key]();
  }

  faster(steps) {
    const at = Math.max(0, Math.min(SPEEDS.length - 2, this.speed.selectedIndex + steps));
    this.speed.selectedIndex = at;
    this.speed.dispatchEvent(new Event('change'));
  }

  // A ply that somebody asked for: whoever looks at one does not want to be taken elsewhere.
  go(ply) {
    this.pause();
    this.show(ply);
  }

  show(ply, first = false) {
    const next = this.ply + 1;
    this.ply = Math.max(0, Math.min(this.last, ply));
    if (this.game.seen < this.ply) {
      this.game.seen = this.ply;
      this.soon();
    }
    const shown = this.game.plies[this.ply], slow = !this.timer || !(Number(this.speed.value) > SMOOTH);
    if (shown.picture && this.ply === next && slow) move(this.board, shown.picture);
    else if (shown.picture) this.board.show(shown.picture);
    else this.boardPlace.replaceChildren(this.game.notice ? element('p', { class: 'soft' }, this.game.notice) : element('pre', {}, shown.position));
    this.slider.value = this.ply;
    this.slider.setAttribute('aria-valuetext', `move ${this.ply} of ${this.last}`);
    this.count.textContent = `${this.ply}/${this.last}`;
    this.caption.setAttribute('aria-live', this.timer && Number(this.speed.value) > 1 ? 'off' : 'polite');
    this.caption.textContent = this.words(shown);
    this.moves.mark(this.ply);
    this.values.mark(this.ply);
    this.times.mark(this.ply);
    this.behind();
    if (this.hash && !first) this.link();
    this.onShow?.(shown, this.ply);
  }

  words(shown) {
    if (shown.move === null) return `Start: ${shown.caption}.`;
    const value = valueText(this.game, shown), time = timeText(shown.seconds);
    const said = [value && `value ${value}`, shown.depth && `depth ${shown.depth}`, time].filter(Boolean).join(', ');
    const note = this.notes.find(one => one.ply === this.ply);
    const end = this.ply === this.last && this.game.end ? this.game.end : `${begun(shown.caption)}.`;
    return `${begun(this.happened(this.ply))}${said ? ` (${said})` : ''}. ${end}${note ? ` ${note.words}` : ''}`;
  }

  // What happened at a ply: of players 1 and 2, as results are told, so both seats are alike.
  happened(ply) {
    const { game, plies } = this.game, { by, move } = plies[ply];
    if (this.say && by < 2) return this.say.deed({ state: { game }, seats: ['', ''] }, by, move);
    if (this.say && game === 'trap') return this.say.latest({ plies: plies.slice(1, ply + 1) });
    return `${by === 2 ? 'chance' : `player ${by + 1}`}: ${move}`;
  }

  // The address says which ply is shown; not at once, since browsers refuse hundreds of changes a minute.
  link() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(null, '', `#ply=${this.ply}`), 150);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (!this.live && this.ply === this.last) this.show(0);
    this.playing = true;
    this.playLooks();
    this.wait();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.timer);
    this.timer = null;
    this.playLooks();
  }

  playLooks() {
    const name = this.playing ? 'pause (space)' : 'play (space)';
    this.playButton.replaceChildren(icon(this.playing ? 'pause' : 'play'));
    this.playButton.setAttribute('aria-label', name);
    this.playButton.title = name;
    this.behind();
  }

  // Milliseconds until the next ply is shown.
  pace() {
    if (this.speed.value !== 'played') return 1000 / Number(this.speed.value);
    const { seconds } = this.game.plies[Math.min(this.ply + 1, this.last)];
    return 1000 * Math.max(SHORTEST, Math.min(LONGEST, seconds ?? CHANCE));
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.ply < this.last) this.timer = setTimeout(() => this.step(), this.pace());
    else if (!this.live) { this.pause(); this.onEnd?.(); }
  }

  step() {
    this.show(this.ply + 1);
    this.wait();
  }

  behind() {
    const missing = this.last - this.ply;
    this.liveButton.hidden = !this.live && !(this.newest && missing);
    const name = this.live ? 'newest' : 'to the end';
    this.liveButton.textContent = missing ? `${name} (+${missing})` : name;
    this.liveButton.disabled = !missing;
  }

  // To where the game is now; of one that is over, playing on would begin anew.
  catchUp() {
    this.go(this.last);
    if (this.live) this.play();
  }

  append(ply) {
    this.game.plies.push(ply);
    this.soon();
    if (this.playing && !this.timer) this.timer = setTimeout(() => this.step(), Math.min(this.pace(), 50));
  }

  // Plies may come by the hundred in a second: what depends on all of them is drawn once.
  soon() {
    this.drawing ??= setTimeout(() => { this.drawing = null; this.redraw(); this.mark(); }, 40);
  }

  mark() {
    for (const part of [this.moves, this.values, this.times]) part.mark(this.ply);
    this.count.textContent = `${this.ply}/${this.last}`;
    this.behind();
  }

  finish(result) {
    Object.assign(this.game, result);
    this.live = false;
    this.newest = true;
    this.redraw();
    this.mark();
    if (this.playing && !this.timer) this.wait();
    if (this.ply === this.last) this.caption.textContent = this.words(this.game.plies[this.ply]);
  }

  // All plies of a game that was watched as it was played: now with what its agents said.
  replace(plies) {
    this.game.plies.splice(0, this.game.plies.length, ...plies);
    this.moves.body.replaceChildren();
  }

  annotate(notes) {
    this.notes = notes;
    this.redraw();
    this.show(this.ply, true);
  }
}
