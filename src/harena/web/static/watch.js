// The page that says what is being played, and begins a game between two agents.

import { Mistake, announce, ask, byId } from './asking.js';
import { OWN, atLevel, offerPlayers, option } from './choosing.js';
import { element } from './dom.js';

const SEATS = ['first', 'second']; // whom one chooses
const EVERY = 3000; // milliseconds between two looks
const forms = JSON.parse(byId('forms').textContent);
const USUAL = { trap: ['medium', 'hard'], colosseum: ['greedy', 'uct'], isolation: ['ab_open', 'id_improved'], tiles: ['greedy', 'uct1000'] };

function card(path, title, who, words, live) {
  const head = element('strong', {}, ...(live ? [element('span', { class: 'dot-live', 'aria-hidden': 'true' })] : []), title);
  return element('li', {}, element('a', { class: 'card', href: path }, head, who, element('br'), element('span', { class: 'soft' }, words)));
}

function draw({ games, runs }) {
  const playing = games.filter(one => one.status !== 'over'), over = games.filter(one => one.status === 'over');
  const shown = one => card(`/watch/${one.id}`, one.title, one.seats.join(' against '), one.end ?? (one.plies ? `${one.plies} moves so far` : 'the agents are being started'), one.status !== 'over');
  const cards = [
    ...playing.map(shown),
    ...runs.map(run => card(`/watch/run/${run.id}`, run.title ? `${run.title}: ${run.type}` : run.type, run.agents.join(', '), `${run.games} games so far`, true)),
  ];
  const parts = [cards.length ? element('ul', { class: 'playing' }, ...cards) : element('p', { class: 'empty' }, byId('new') ? 'Nothing is being played. Begin a game here, or a match at the command line with the same store: it appears by itself.' : 'Nothing is being played right now. What is begun appears here by itself.')];
  if (over.length) parts.push(element('h2', {}, 'Played before'), element('ul', { class: 'playing' }, ...over.map(shown)));
  byId('list').replaceChildren(...parts);
}

let last = '';
function drawIfNew(now) {
  const text = JSON.stringify(now);
  if (text === last) return; // whoever has a link in focus keeps it
  last = text;
  draw(now);
}

async function look() {
  if (!document.hidden) await ask('/api/watch').then(drawIfNew, () => undefined); // the next look may find the server
  setTimeout(look, EVERY);
}

function choose(form) {
  const game = forms.find(one => one.name === form.game.value), [least, most] = game.sizes ?? [game.default_size, game.default_size];
  form.size.replaceChildren(...Array.from({ length: most - least + 1 }, (_, index) => option(least + index, `${least + index} × ${least + index}`)));
  form.size.value = String(game.default_size);
  const [players, setups] = game.orders; // an object of JSON keeps no order of names that are numbers
  form.setup.replaceChildren(...setups.map(name => option(name)));
  form.querySelector('.setup').hidden = setups.length < 2;
  form.colour.replaceChildren(...game.firsts.map(name => option(name)));
  form.querySelector('.colour').hidden = !game.firsts.length;
  for (const select of [form.first, form.second]) offerPlayers(select, players, game.agents);
  [form.first.value, form.second.value] = USUAL[game.name] ?? ['random', 'random'];
  describe(form);
}

// Who was chosen, in words; a player by its text needs one.
function describe(form) {
  const game = forms.find(one => one.name === form.game.value);
  for (const name of SEATS) {
    const own = form[name].value === OWN, field = form[`${name}_text`];
    form.querySelector(`[data-text-of=${name}]`).hidden = !own;
    field.required = own;
    form.querySelector(`[data-level-of=${name}]`).hidden = form[name].value !== 'champion';
  }
  const said = [...new Set(SEATS.map(name => form[name].value))].filter(text => game.players[text]).map(text => `${text}: ${game.players[text]}`);
  byId('about').textContent = said.join('. ') || game.summary;
}

async function begin(event) {
  event.preventDefault();
  const form = event.target, button = form.querySelector('[type=submit]');
  /** @type {Record<string, any>} */
  const given = Object.fromEntries(new FormData(form));
  for (const name of SEATS) {
    given[name] = given[name] === OWN ? given[`${name}_text`].trim() : atLevel(given[name], given[`${name}_level`]);
    for (const part of ['text', 'level']) delete given[`${name}_${part}`];
  }
  if (!forms.find(one => one.name === given.game).firsts.length) delete given.colour;
  if (given.seconds) given.seconds = Number(given.seconds);
  else delete given.seconds;
  button.disabled = true;
  byId('wait').hidden = false;
  byId('error').textContent = '';
  try {
    location.assign((await ask('/api/watch', given)).path);
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    byId('error').textContent = error.message;
    announce(error.message);
    button.disabled = false;
    byId('wait').hidden = true;
  }
}

drawIfNew(JSON.parse(byId('playing').textContent));
setTimeout(look, EVERY);
const form = byId('new');
if (form) {
  choose(form);
  form.game.addEventListener('change', () => choose(form));
  for (const name of SEATS) form[name].addEventListener('change', () => describe(form));
  form.addEventListener('submit', begin);
  window.addEventListener('pageshow', () => { byId('wait').hidden = true; form.querySelector('[type=submit]').disabled = false; });
}
