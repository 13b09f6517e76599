// The form that starts a match or tournament: who can play follows the game that is chosen.
import { ask, byId } from './asking.js';
import { atLevel } from './choosing.js';
import { element } from './dom.js';

const data = JSON.parse(byId('data').textContent);
const form = byId('new');
const NUMBERS = ['games', 'rounds', 'seconds', 'iterations', 'depth', 'seed', 'concurrency'];

function choice(text, name, about) {
  return element('label', { class: 'choice' }, element('input', { type: 'checkbox', name: 'agent', value: text }),
    element('span', { class: 'name' }, name), element('span', { class: 'soft' }, about));
}

function showGame() {
  const game = data.games.find(one => one.name === form.game.value);
  const [players, setups] = game.orders; // an object of JSON keeps no order of names that are numbers
  const own = (data.agents[game.name] ?? []).map(agent => choice(agent.text, agent.name, agent.course || 'program'));
  byId('choices').replaceChildren(...own, ...players.map(name => choice(name, name, game.players[name])));
  byId('setup').replaceChildren(new Option('the usual', ''), ...setups.map(name => new Option(name, name)));
  byId('setup-field').hidden = setups.length < 2;
  byId('size-field').hidden = !game.sizes;
  if (game.sizes) form.size.placeholder = `${game.default_size}; ${game.sizes[0]} to ${game.sizes[1]}`;
  else form.size.value = '';
  count();
}

function chosen() {
  const others = form.others.value.split('\n').map(line => line.trim()).filter(Boolean);
  return [...[...form.querySelectorAll('[name=agent]:checked')].map(box => atLevel(box.value, form.level.value)), ...others];
}

function count() {
  const type = form.type.value, number = chosen().length;
  byId('rounds-field').hidden = type !== 'swiss';
  byId('level-field').hidden = !form.querySelector('[name=agent][value=champion]:checked');
  const wanted = type === 'match' ? 'Choose two.' : type === 'gauntlet' ? 'Choose at least two; the first one meets all others.' : 'Choose at least two.';
  byId('agents-hint').textContent = number ? `${wanted} ${number} chosen.` : wanted;
}

function told() {
  const found = { game: form.game.value, type: form.type.value, agents: chosen() };
  for (const name of NUMBERS) if (form[name].value !== '' && !(name === 'rounds' && form.type.value !== 'swiss')) found[name] = Number(form[name].value);
  for (const name of ['size', 'setup']) if (form[name].value.trim()) found[name] = form[name].value.trim();
  return found;
}

form.addEventListener('submit', async event => {
  event.preventDefault();
  const number = chosen().length, enough = form.type.value === 'match' ? number === 2 : number >= 2;
  byId('mistake').textContent = enough ? '' : form.type.value === 'match' ? `A match is between two agents: ${number} ${number === 1 ? 'is' : 'are'} chosen.` : `Choose at least two agents: ${number || 'none'} ${number === 1 ? 'is' : 'are'} chosen.`;
  if (!enough) return;
  byId('start').disabled = true;
  byId('starting').hidden = false;
  try {
    const { run } = await ask('/api/contests', told());
    location.assign(`/contests/${run}`);
  } catch (mistake) {
    byId('mistake').textContent = mistake.message;
    byId('start').disabled = false;
    byId('starting').hidden = true;
  }
});
form.game.addEventListener('change', showGame);
form.addEventListener('input', count);
showGame();
