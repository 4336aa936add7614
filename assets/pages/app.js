// The one script of the pages. Every page works without it: it shows times in the reader's zone, brings new posts,
// presses buttons without leaving the page, counts characters, previews pictures and listens to keys.

const locale = document.documentElement.lang;
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });

/** Makes a part of the page ready: times in the reader's zone. */
function prepare(part) {
  for (const time of part.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = (time.dateTime.length > 10 ? moment : day).format(at);
  }
  return part;
}

async function pageOf(response) {
  if (!response.ok) throw new Error(String(response.status));
  return prepare(new DOMParser().parseFromString(await response.text(), 'text/html'));
}

/** Sends a button of a post in the background, and shows the post as it is then. Leaves other buttons to the browser. */
async function press(event) {
  const button = event.submitter;
  const post = button?.closest('article.post');
  if (!post?.id || button.form?.id !== 'actions' || button.dataset.plain) return;
  event.preventDefault();
  const { form } = button;
  const body = new URLSearchParams(new FormData(form, button)); // before the button is disabled: then it sends nothing
  button.disabled = true;
  try {
    const response = await fetch(button.formAction, { method: 'POST', body });
    const shown = (await pageOf(response)).getElementById(post.id);
    if (!shown) throw new Error('The post has gone');
    const index = [...post.querySelectorAll('button')].indexOf(button);
    post.replaceWith(shown);
    shown.querySelectorAll('button')[index]?.focus();
  } catch {
    button.disabled = false;
    button.dataset.plain = 'true'; // the page of the failure says why
    form.requestSubmit(button);
  }
}

/** Offers the posts that arrive while a timeline is open, newest first. */
function follow(timeline) {
  const { stream = '', more = '' } = timeline.dataset;
  const [name, list] = stream.split(':');
  const path = { user: 'user', public: list === 'local' ? 'public/local' : 'public', list: `list?list=${list}` }[name];
  const posts = timeline.querySelector('.posts');
  if (!path || !posts || new URLSearchParams(location.search).has('max_id')) return;
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'fresh quiet',
    hidden: true,
  });
  button.setAttribute('aria-live', 'polite');
  posts.before(button);
  let fresh = [];
  let source;
  let timer;
  let hasPosts = false;
  const load = async () => {
    const newest = hasPosts && posts.querySelector('.post')?.id.replace('post-', '');
    timer = undefined;
    hasPosts = false;
    const path = newest ? `${location.pathname}?since_id=${newest}` : '/app/places';
    const answer = await fetch(path).catch(() => undefined);
    if (!answer?.ok) {
      hasPosts ||= Boolean(newest); // the next event asks for them again
      return;
    }
    const page = await pageOf(answer);
    recount(page);
    if (!newest) return;
    fresh = [...page.querySelectorAll(`[data-stream] .posts > .post`)].filter(({ id }) => !document.getElementById(id));
    button.hidden = fresh.length === 0;
    button.textContent = more.replace('§', String(fresh.length));
  };
  const listen = () => {
    source = new EventSource(`/api/v1/streaming/${path}`);
    for (const event of ['update', 'notification'])
      source.addEventListener(event, () => {
        hasPosts ||= event === 'update';
        timer ??= setTimeout(() => void load().catch(() => {}), 1000); // one request for all that arrives meanwhile
      });
    source.addEventListener('delete', (event) => document.getElementById(`post-${event.data}`)?.remove());
  };
  button.addEventListener('click', () => {
    posts.prepend(...fresh);
    button.hidden = true;
  });
  document.addEventListener('visibilitychange', () => {
    source?.close();
    source = undefined;
    if (!document.hidden) listen();
  });
  if (!document.hidden) listen();
}

/** Takes the numbers of the navigation from a page that was loaded later. */
function recount(page) {
  const fresh = page.querySelectorAll('[data-unread]');
  document.querySelectorAll('[data-unread]').forEach((count, at) => fresh[at] && count.replaceWith(fresh[at]));
}

const LINK = /https?:\/\/\S+/g;
const LINK_LENGTH = 23;
const segments = new Intl.Segmenter(locale, { granularity: 'grapheme' });

/** Says how many characters are left, counted as the server does. */
function count(area) {
  const left = Object.assign(document.createElement('output'), { className: 'left soft' });
  area.after(left);
  const show = () => {
    const text = area.value.replace(LINK, 'x'.repeat(LINK_LENGTH));
    const rest = Number(area.dataset.limit) - [...segments.segment(text)].length;
    left.textContent = String(rest);
    left.classList.toggle('over', rest < 0);
  };
  area.addEventListener('input', show);
  show();
}

/** The time of a form is in UTC, or in the zone that its hidden field tells, in minutes east of UTC. */
function localise(zone) {
  const input = zone.form.querySelector('input[type="datetime-local"]');
  if (!input) return;
  const offsetAt = (time) => -time.getTimezoneOffset();
  if (zone.value === '0' && input.value) {
    const at = new Date(`${input.value}Z`);
    input.value = new Date(at.getTime() + offsetAt(at) * 60_000).toISOString().slice(0, 16);
  }
  for (const hint of zone.form.querySelectorAll('.utc')) hint.hidden = true;
  const tell = () => (zone.value = String(offsetAt(input.value ? new Date(input.value) : new Date())));
  input.addEventListener('input', tell);
  tell();
}

/** Shows chosen pictures before they are sent. */
function preview(input) {
  const pictures = Object.assign(document.createElement('div'), { className: 'previews' });
  input.after(pictures);
  input.addEventListener('change', () => {
    for (const picture of pictures.children) URL.revokeObjectURL(picture.src);
    const chosen = [...input.files].filter(({ type }) => type.startsWith('image/'));
    pictures.replaceChildren(
      ...chosen.map((file) => Object.assign(new Image(), { src: URL.createObjectURL(file), alt: file.name })),
    );
  });
}

/** Keys: j and k go through the posts; r, b, f and o reply, boost, favourite and open; n writes, / searches. */
const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  r: () => current()?.querySelector('.actions a')?.click(),
  b: () => current()?.querySelector('[formaction*="reblog"]')?.click(),
  f: () => current()?.querySelector('[formaction*="favourite"]')?.click(),
  o: () => current()?.querySelector('header a:has(time)')?.click(),
  n: () => document.querySelector('[data-key="n"]')?.click(),
  '/': () => document.querySelector('[href="/app/search"]')?.click(),
};

const current = () => document.activeElement?.closest('article.post');

function step(by) {
  const posts = [...document.querySelectorAll('article.post')];
  const next = posts[Math.max(0, posts.indexOf(current()) + by)];
  if (!next) return;
  next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select')) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

prepare(document);
document.addEventListener('submit', (event) => void press(event));
document.addEventListener('keydown', key);
document.querySelectorAll('[data-stream]').forEach(follow);
document.querySelectorAll('textarea[data-limit]').forEach(count);
document.querySelectorAll('input[type="file"][accept*="image"]').forEach(preview);
document.querySelectorAll('input[name="zone"]').forEach(localise);
