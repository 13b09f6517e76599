// The form of a new game: what can be chosen depends on the game, and the board shows how it begins.

import { announce, ask, askPosition, byId } from './asking.js';
import { Board } from './board.js';
import { OWN, atLevel, offerPlayers, option } from './choosing.js';

const data = JSON.parse(byId('data').textContent);
const games = new Map(data.games.map(one => [one.name, one]));
const form = byId('form'), board = new Board(byId('board'));
const AMOUNTS = { seconds: ['Seconds', 1], nodes: ['Nodes', 20000], iterations: ['Iterations', 1000], depth: ['Depth', 3] };

const USUAL_LEVEL = '3', REMEMBERED = 'harena-level'; // one that a newcomer can beat; later the one chosen last
const drawn = String(Math.floor(1e9 * Math.random())); // the seed where none is typed: the board that is shown is the one that is played

/** @type {(name: string) => any} */
const chosen = name => new FormData(form).get(name);
const range = ([low, high]) => Array.from({ length: high - low + 1 }, (_, index) => low + index);
const reveal = (name, visible) => { byId(name).hidden = !visible; };

// What this game allows, in its own order, which an object of JSON does not keep; of what was chosen before, whatever still makes sense stays.
function adapt() {
  const game = games.get(chosen('game')), opponent = byId('opponent'), before = opponent.value;
  offerPlayers(opponent, game.orders[0], data.agents[game.name]);
  const names = [...opponent.options].map(one => one.value);
  opponent.value = names.includes(before) ? before : 'champion';
  const sizes = range(game.sizes).map(side => option(side, game.rectangles ? `${side} rows` : `${side} × ${side}`));
  byId('rows').replaceChildren(...sizes);
  byId('rows').value = game.default_size;
  byId('columns').replaceChildren(...range(game.sizes).map(side => option(side, `${side}`)));
  byId('columns').value = game.default_size;
  reveal('columns-label', game.rectangles);
  byId('setup').replaceChildren(...game.orders[1].map(name => option(name, name)));
  reveal('setup-label', Object.keys(game.setups).length > 1);
  byId('first').replaceChildren(...game.firsts.map(colour => option(colour, { R: 'red', B: 'blue' }[colour] ?? colour)));
  reveal('first-label', game.firsts.length > 0);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-rules]'))) part.hidden = part.dataset.rules !== game.name;
}

function describe() {
  const game = games.get(chosen('game')), position = byId('position').value.trim();
  const opponent = byId('opponent').value, both = chosen('side') === 'both', kind = byId('limit').value;
  reveal('against', !both);
  reveal('own-text', opponent === OWN);
  reveal('level-label', opponent === 'champion');
  reveal('amount-label', kind !== '');
  if (kind && byId('amount').dataset.kind !== kind) {
    byId('amount').dataset.kind = kind;
    [byId('amount-name').textContent, byId('amount').value] = AMOUNTS[kind];
  }
  byId('about').textContent = both ? 'Two people take turns at this screen.' : opponent === OWN
    ? 'Any text that harena agents knows, with its options.' : game.players[opponent] ?? '';
  reveal('beginning', !position);
  byId('about-setup').textContent = position ? '' : game.setups[byId('setup').value] ?? '';
}

function options() {
  const game = games.get(chosen('game'));
  return {
    size: game.rectangles && byId('rows').value !== byId('columns').value ? `${byId('rows').value}x${byId('columns').value}` : byId('rows').value,
    setup: byId('setup').value,
    first: game.firsts.length ? byId('first').value : '',
  };
}

let latest = 0, refused = false; // the last look; whether what is said is why no game has begun

function complain(words, why = false) {
  byId('error').textContent = words;
  refused = why;
}

async function preview() {
  const turn = ++latest, game = chosen('game'), text = byId('position').value.trim(), seed = byId('seed').value.trim() || drawn;
  try {
    const start = await (text ? askPosition({ game, text }) : ask(`/api/start?${new URLSearchParams({ game, ...options(), seed })}`));
    if (turn !== latest) return;
    if (!refused) complain('');
    board.show(start.picture);
    for (const seat of [0, 1]) byId(`seat-${seat}`).textContent = `player ${seat + 1}${start.mover === seat ? ', who begins' : ''}`;
  } catch (mistake) {
    if (turn === latest) complain(mistake.message);
  }
}

// The text of the opponent that is chosen, weaker where a level is.
function opponentText() {
  const { value } = byId('opponent'), level = byId('level').value;
  if (value === OWN) return byId('text').value.trim();
  return atLevel(value, level);
}

function seats() {
  const opponent = opponentText();
  const side = chosen('side') === 'any' ? String(Math.floor(2 * Math.random())) : chosen('side');
  return side === 'both' ? ['human', 'human'] : side === '0' ? ['human', opponent] : [opponent, 'human'];
}

async function begin(event) {
  event.preventDefault();
  const kind = byId('limit').value, position = byId('position').value.trim(), seed = byId('seed').value.trim() || drawn;
  complain('');
  byId('begin').disabled = true;
  byId('begin').textContent = 'Setting up …';
  try {
    const made = await ask('/api/tables', {
      game: chosen('game'), seats: seats(), ...(position ? { position } : Object.fromEntries(Object.entries(options()).filter(([, value]) => value))),
      limits: kind && chosen('side') !== 'both' ? { [kind]: Number(byId('amount').value) } : {}, seed: Number(seed),
    });
    location.assign(`/play/${made.id}`);
  } catch (mistake) {
    complain(mistake.message, true);
    byId('begin').disabled = false;
    byId('begin').textContent = 'Begin the game';
  }
}

// The level chosen last, where the browser keeps such things.
function recall() {
  try { byId('level').value = localStorage.getItem(REMEMBERED) ?? USUAL_LEVEL; } catch { byId('level').value = USUAL_LEVEL; }
  if (!byId('level').value) byId('level').value = USUAL_LEVEL;
  byId('level').addEventListener('change', () => {
    try { localStorage.setItem(REMEMBERED, byId('level').value); } catch { /* then it is forgotten */ }
  });
}

// A game that nobody wants to go on with; a second click is sure, since nothing brings it back.
async function remove(button) {
  if (!button.dataset.sure) {
    button.dataset.sure = 'yes';
    button.textContent = 'Remove?';
    setTimeout(() => { delete button.dataset.sure; button.textContent = '×'; }, 4000);
    return;
  }
  try {
    await ask(`/api/tables/${button.dataset.table}`, undefined, 'DELETE');
    button.closest('li').remove();
    announce('the game is removed');
    if (!document.querySelector('.open-games li')) byId('open').remove();
  } catch (mistake) {
    complain(mistake.message);
  }
}

for (const button of document.querySelectorAll('.remove')) button.addEventListener('click', () => remove(button));
board.show(data.start.picture);
board.svg.removeAttribute('tabindex');
board.svg.setAttribute('role', 'img');
byId('position').value = data.position;
reveal('position-label', Boolean(data.position));
recall();
adapt();
describe();
if (!byId('error').textContent) preview();
form.addEventListener('change', event => {
  if (event.target.name === 'game') {
    byId('position').value = '';
    reveal('position-label', false);
    adapt();
  }
  describe();
  preview();
});
form.addEventListener('submit', begin);
