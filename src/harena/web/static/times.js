// Dates and times by the reader's own clock: pages come with those of UTC, and say so where no script runs.

const two = number => String(number).padStart(2, '0');
const day = when => `${when.getFullYear()}-${two(when.getMonth() + 1)}-${two(when.getDate())}`;
const clock = when => `${two(when.getHours())}:${two(when.getMinutes())}`;
const brief = when => `${when.getDate()} ${when.toLocaleDateString('en', { month: 'short' })}`;

for (const place of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll('time[datetime]'))) {
  const when = new Date(place.dateTime);
  if (Number.isNaN(when.getTime())) continue; // of a store that is not ours
  place.title = place.textContent; // that of UTC
  place.textContent = `${day(when)} ${clock(when)}`;
}
for (const place of /** @type {NodeListOf<HTMLOptionElement>} */ (document.querySelectorAll('option[data-created]'))) { // an option holds nothing but text
  const when = new Date(place.dataset.created);
  if (!Number.isNaN(when.getTime())) place.textContent = place.textContent.replace(place.dataset.said, `${brief(when)} ${clock(when)}`);
}
