// Who plays: the choice for a seat, and the form of a player: a named one, or an algorithm with its options, which together
// make its text.

import { element } from './dom.js';

export const OWN = ' own'; // the choice of a player by its text

// The text of a player that was chosen by name; the champion may be weaker than it can.
export const atLevel = (name, level) => (name === 'champion' && level !== '10' ? `champion(level=${level})` : name);

export function option(value, words = value, selected = false) {
  return element('option', selected ? { value, selected: '' } : { value }, words);
}

const group = (label, options) => element('optgroup', { label }, ...options);

// Whom one can choose for a seat: players by name, agents of the server's folders, or anybody by a text.
export function offerPlayers(select, names, agents) {
  const isPartner = name => name.startsWith('spar_'), isCourse = name => name !== 'champion' && !isPartner(name);
  const groups = [
    ['Champion', names.filter(name => name === 'champion').map(name => option(name))],
    ['Players of the courses', names.filter(isCourse).map(name => option(name))],
    ['Sparring partners', names.filter(isPartner).map(name => option(name))],
    ['Agents of this server', agents.map(agent => option(agent.text, agent.name))],
  ];
  select.replaceChildren(...groups.filter(([, options]) => options.length).map(([label, options]) => group(label, options)),
    option(OWN, 'a player by its text …'));
}

export class PlayerForm {
  // `form` has the fields choice and player, and places .about, .familiar, .others and .rest.
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    form.elements.choice.addEventListener('change', () => { this.fill(); this.write(); });
    form.elements.player.addEventListener('input', () => { this.follow(); changed?.(); });
  }

  // What a game has; `text` is who is chosen at first.
  offer(choices, text) {
    this.choices = choices;
    const { players, algorithms } = choices;
    this.form.elements.choice.replaceChildren(
      group('Named players', Object.keys(players).map(name => option(name))),
      group('Algorithms', Object.keys(algorithms).filter(name => !(name in players)).map(name => option(`${name}()`, name))), // a named player goes first
    );
    this.form.elements.player.value = text;
    this.follow();
  }

  get text() { return this.form.elements.player.value.trim(); }

  // The algorithm of a choice; of a named player where both have one name: then its options can be chosen too.
  behind(choice) {
    const name = choice.replace('()', ''), named = choice.endsWith('()') ? null : this.choices.players[name];
    return !named || named.text.split('(')[0] === name ? this.choices.algorithms[name] ?? null : null;
  }

  // The form follows the text as far as it can; what it does not know stays in the text alone.
  follow() {
    const name = this.text.split('(')[0].trim();
    const { players, algorithms } = this.choices;
    const choice = players[name] ? name : algorithms[name] ? `${name}()` : '';
    this.form.elements.choice.value = choice;
    this.fill();
    if (this.behind(choice)) this.read(this.text);
    this.restrain();
  }

  fill() {
    const { choice } = this.form.elements, name = choice.value.replace('()', '');
    const entry = this.behind(choice.value), named = choice.value.endsWith('()') ? null : this.choices.players[name];
    const about = this.form.querySelector('.about');
    about.textContent = named ? `${named.about}${named.text === name ? '' : `: ${named.text}`}` : entry ? entry.about.replaceAll('`', '') : 'a player by its text';
    const options = entry?.options ?? [];
    const familiar = options.filter(one => one.familiar), others = options.filter(one => !one.familiar);
    this.form.querySelector('.familiar').replaceChildren(...familiar.map(one => this.control(one)));
    this.form.querySelector('.others').replaceChildren(...others.map(one => this.control(one)));
    this.form.querySelector('.rest').hidden = !others.length;
    if (entry && named) this.read(named.text, true);
  }

  control(one) {
    let input;
    if (one.kind === 'heuristic') {
      input = element('select');
      const known = Object.entries(this.choices.heuristics).map(([name, words]) => option(name, `${name}: ${words}`, name === one.default));
      if (!(one.default in this.choices.heuristics)) known.unshift(option(one.default, one.default || 'its usual one', true));
      input.append(...known);
    } else if (one.kind === 'choice') {
      input = element('select', {}, ...one.choices.map(name => option(name, name, name === one.default)));
    } else {
      input = element('input', { type: { truth: 'checkbox', number: 'number' }[one.kind] ?? 'text' });
      if (one.kind === 'truth') input.checked = one.default === 'true';
      else input.value = one.default;
      if (one.kind === 'number') input.step = 'any';
    }
    input.dataset.option = one.name;
    input.dataset.default = one.default;
    input.addEventListener('change', () => this.write());
    return element('label', { class: { truth: 'check', heuristic: 'broad' }[one.kind] ?? '' }, one.name.replaceAll('_', ' '), input);
  }

  // The text of what is chosen; options that are as usual are left out.
  write() {
    const { choice, player } = this.form.elements;
    if (!this.behind(choice.value)) {
      player.value = choice.value;
    } else {
      this.restrain(true);
      const given = [...this.form.querySelectorAll('[data-option]')].map(input => {
        const value = input.type === 'checkbox' ? String(input.checked) : input.value.trim();
        return value && value !== input.dataset.default ? `${input.dataset.option}=${value}` : '';
      }).filter(Boolean);
      const name = choice.value.replace('()', '');
      player.value = given.length ? `${name}(${given.join(', ')})` : name;
    }
    this.changed?.();
  }

  // Below its highest level, which is the usual one, a champion has one thread; a text that says otherwise stays until something is chosen.
  restrain(chosen = false) {
    const [level, threads] = ['level', 'threads'].map(name => this.form.querySelector(`[data-option=${name}]`));
    if (!level || !threads) return;
    const isWeak = level.value !== level.dataset.default;
    if (isWeak && chosen) threads.value = threads.dataset.default;
    threads.disabled = isWeak && threads.value === threads.dataset.default;
  }

  // Take over the options of a text; `usual` are those that a named player has anyway.
  read(text, usual = false) {
    const inside = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    if (!text.includes('(')) return;
    for (const part of inside.split(',')) {
      const [key, value] = part.split('=').map(piece => piece?.trim());
      const input = this.form.querySelector(`[data-option="${CSS.escape(key)}"]`);
      if (!input || value === undefined) continue;
      if (usual) input.dataset.default = value;
      if (input.type === 'checkbox') input.checked = ['true', 'yes', '1'].includes(value.toLowerCase());
      else {
        if (input.tagName === 'SELECT' && ![...input.options].some(one => one.value === value)) input.append(option(value));
        input.value = value;
      }
    }
  }
}
