// The form of a player: a named one, or an algorithm with its options, which together make its text.

const field = (words, control) => {
  const label = document.createElement('label');
  label.append(words, control);
  return label;
};

export function option(value, words = value, selected = false) {
  const made = document.createElement('option');
  made.value = value;
  made.textContent = words;
  made.selected = selected;
  return made;
}

export function group(name, options) {
  const made = document.createElement('optgroup');
  made.label = name;
  made.append(...options);
  return made;
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
      group('Algorithms', Object.keys(algorithms).map(name => option(`${name}()`, name))),
    );
    this.form.elements.player.value = text;
    this.follow();
  }

  get text() { return this.form.elements.player.value.trim(); }

  // The form follows the text as far as it can; what it does not know stays in the text alone.
  follow() {
    const name = this.text.split('(')[0].trim();
    const { players, algorithms } = this.choices, plain = !this.text.includes('(');
    const choice = plain && players[name] ? name : algorithms[name] ? `${name}()` : players[name] ? name : '';
    this.form.elements.choice.value = choice;
    this.fill();
    if (choice.endsWith('()')) this.read(this.text);
  }

  fill() {
    const { choice } = this.form.elements, name = choice.value.replace('()', '');
    const entry = choice.value.endsWith('()') ? this.choices.algorithms[name] : null;
    const named = entry ? null : this.choices.players[name];
    const about = this.form.querySelector('.about');
    about.textContent = entry ? entry.about.replaceAll('`', '') : named ? `${named.about}${named.text === name ? '' : `: ${named.text}`}` : 'a player by its text';
    const options = entry?.options ?? [];
    const familiar = options.filter(one => one.familiar), others = options.filter(one => !one.familiar);
    this.form.querySelector('.familiar').replaceChildren(...familiar.map(one => this.control(one)));
    this.form.querySelector('.others').replaceChildren(...others.map(one => this.control(one)));
    this.form.querySelector('.rest').hidden = !others.length;
  }

  control(one) {
    let input;
    if (one.kind === 'heuristic') {
      input = document.createElement('select');
      const known = Object.entries(this.choices.heuristics).map(([name, words]) => option(name, `${name}: ${words}`, name === one.default));
      if (!(one.default in this.choices.heuristics)) known.unshift(option(one.default, one.default || 'its usual one', true));
      input.append(...known);
    } else if (one.kind === 'choice') {
      input = document.createElement('select');
      input.append(...one.choices.map(name => option(name, name, name === one.default)));
    } else {
      input = document.createElement('input');
      input.type = { truth: 'checkbox', number: 'number' }[one.kind] ?? 'text';
      if (one.kind === 'truth') input.checked = one.default === 'true';
      else input.value = one.default;
      if (one.kind === 'number') input.step = 'any';
    }
    input.dataset.option = one.name;
    input.dataset.default = one.default;
    input.addEventListener('change', () => this.write());
    const label = field(one.name.replaceAll('_', ' '), input);
    label.className = { truth: 'check', heuristic: 'broad' }[one.kind] ?? '';
    return label;
  }

  // The text of what is chosen; options that are as usual are left out.
  write() {
    const { choice, player } = this.form.elements;
    if (!choice.value.endsWith('()')) {
      player.value = choice.value;
    } else {
      const given = [...this.form.querySelectorAll('[data-option]')].map(input => {
        const value = input.type === 'checkbox' ? String(input.checked) : input.value.trim();
        return value && value !== input.dataset.default ? `${input.dataset.option}=${value}` : '';
      }).filter(Boolean);
      const name = choice.value.replace('()', '');
      player.value = given.length ? `${name}(${given.join(', ')})` : name;
    }
    this.changed?.();
  }

  read(text) {
    const inside = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    if (!text.includes('(')) return;
    for (const part of inside.split(',')) {
      const [key, value] = part.split('=').map(piece => piece?.trim());
      const input = this.form.querySelector(`[data-option="${CSS.escape(key)}"]`);
      if (!input || value === undefined) continue;
      if (input.type === 'checkbox') input.checked = ['true', 'yes', '1'].includes(value.toLowerCase());
      else {
        if (input.tagName === 'SELECT' && ![...input.options].some(one => one.value === value)) input.append(option(value));
        input.value = value;
      }
    }
  }
}
