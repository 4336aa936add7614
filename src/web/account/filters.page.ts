import { bdi, type Html, html, type PageContent, type Translator } from '../../common/index.js';
import type { BrowserSession } from '../../sign-in/index.js';
import { FILTER_ACTIONS, FILTER_PLACES, type FilterAction } from '../../statuses/index.js';
import type { FilterJson } from '../../timelines/index.js';
import { selectField, termOptions, tickField } from '../parts/choices.part.js';
import { actionButton, sessionForm } from '../parts/forms.part.js';
import { pathOf, type Said, sectionPage } from './account.pages.js';

/** Rows for further words. */
const SPARE_WORDS = 3;
/** A form cannot hold many more; words that are not on it stay. */
const MOST_WORDS = 200;
const MAX_WORD_LENGTH = 512;
/** The longest title of a filter, in characters. */
export const FILTER_TITLE_LENGTH = 256;

/** A word of a filter as it was typed. */
interface Word {
  readonly id?: string | undefined;
  readonly keyword: string;
  readonly wholeWord: boolean;
}

/** A filter as it was typed. */
export interface FilterDraft {
  readonly title: string;
  readonly context: readonly string[];
  readonly action: FilterAction;
  /** Seconds from now, or `keep`. */
  readonly term: string;
  readonly words: readonly Word[];
  /** Its end; null for none. */
  readonly endsAt: string | null;
  /** The ids of the posts that it names. */
  readonly statusIds: readonly string[];
}

export const NEW_FILTER: FilterDraft = {
  title: '',
  context: ['home', 'public'],
  action: 'warn',
  term: '0',
  words: [],
  endsAt: null,
  statusIds: [],
};

/** A stored filter, ready to be changed. */
export function storedFilter(filter: FilterJson): FilterDraft {
  const { title, context, filter_action: action, expires_at: endsAt, keywords, statuses } = filter;
  return {
    ...{ title, context, action, endsAt },
    term: endsAt === null ? '0' : 'keep',
    words: keywords.map(({ id, keyword, whole_word: wholeWord }) => ({ id, keyword, wholeWord })),
    statusIds: statuses.map(({ status_id: id }) => id),
  };
}

const filterPath = (id: string) => `${pathOf('filters')}/${id}`;

/** All filters of a person. */
export function filtersPage(t: Translator, filters: readonly FilterJson[]): PageContent {
  const rows = filters.map(
    (filter) =>
      html`<li>
        <a class="whom" href="${filterPath(filter.id)}"
          ><span><b>${bdi(filter.title)}</b> <small class="soft">${summary(t, filter)}</small></span></a
        >
        ${actionButton({
          path: `${filterPath(filter.id)}/delete`,
          label: t.text('act.delete'),
          name: `${t.text('act.delete')}: ${filter.title}`,
          classes: 'quiet',
        })}
      </li>`,
  );
  const content = html`<p>${t.text('settings.filters.text')}</p>
    <ul class="rows people">
      ${rows}
    </ul>
    <p><a class="button" href="${filterPath('new')}">${t.text('settings.filters.new')}</a></p>`;
  return sectionPage(t, 'filters', {}, content);
}

/** A filter; without an id, a new one. */
export function filterPage(
  t: Translator,
  session: BrowserSession,
  id: string | undefined,
  draft: FilterDraft,
  said: Said = {},
): PageContent {
  const present = draft.endsAt !== null && {
    value: 'keep',
    label: t.text('people.until', { time: t.moment(draft.endsAt) }),
  };
  const terms = [...(present ? [present] : []), ...termOptions(t)];
  const actions = FILTER_ACTIONS.map((value) => ({ value, label: t.text(`settings.filters.${value}`) }));
  const fields = html`<label for="title">${t.text('lists.title')}</label>
    <input
      id="title"
      name="title"
      value="${draft.title}"
      required
      maxlength="${FILTER_TITLE_LENGTH}"
      autocomplete="off"
    />
    ${words(t, draft)}
    <fieldset>
      <legend>${t.text('settings.filters.where')}</legend>
      ${FILTER_PLACES.map(
        (place) =>
          html`<label class="tick"
            ><input
              type="checkbox"
              name="context"
              value="${place}"
              ${draft.context.includes(place) && html`checked`}
            />${t.text(`settings.place.${place}`)}</label
          >`,
      )}
    </fieldset>
    ${selectField('filter_action', t.text('settings.filters.action'), actions, draft.action)}
    ${selectField('term', t.text('people.term'), terms, draft.term)}
    <button>${t.text('people.save')}</button>`;
  const content = html`<h2>${t.text(id === undefined ? 'settings.filters.new' : 'settings.filters.edit')}</h2>
    ${sessionForm(session, id === undefined ? pathOf('filters') : filterPath(id), fields)} ${posts(t, draft)}
    <p><a href="${pathOf('filters')}">&larr; ${t.text('account.filters')}</a></p>`;
  return sectionPage(t, 'filters', said, content);
}

function words(t: Translator, { words: all }: FilterDraft): Html {
  const spare = Array.from({ length: SPARE_WORDS }, (): Word => ({ keyword: '', wholeWord: true }));
  const label = t.text('settings.filters.word');
  const rows = [...all.slice(0, MOST_WORDS), ...spare].map(({ id, keyword, wholeWord }, at) => {
    const name = `keywords_attributes[${at}]`;
    return html`<div class="line">
      ${id !== undefined && html`<input type="hidden" name="${name}[id]" value="${id}" />`}
      <input
        name="${name}[keyword]"
        value="${keyword}"
        maxlength="${MAX_WORD_LENGTH}"
        aria-label="${label}"
        autocomplete="off"
      />
      ${tickField(`${name}[whole_word]`, t.text('settings.filters.whole'), wholeWord)}
    </div>`;
  });
  return html`<fieldset>
    <legend>${t.text('settings.filters.words')}</legend>
    ${rows}
    ${all.length > MOST_WORDS && html`<p class="soft">${t.text('settings.filters.further', { count: MOST_WORDS })}</p>`}
  </fieldset>`;
}

/** Posts that an app added. */
function posts(t: Translator, { statusIds }: FilterDraft): Html | undefined {
  if (statusIds.length === 0) return undefined;
  return html`<h2>${t.text('settings.filters.posts')}</h2>
    <ul>
      ${statusIds.map((id) => html`<li><a href="/app/posts/${id}">${id}</a></li>`)}
    </ul>`;
}

function summary(t: Translator, { keywords, context, filter_action: action, expires_at: endsAt }: FilterJson): Html {
  const places = context.map((place) => t.text(`settings.place.${place}`)).join(', ');
  return html`${keywords.length > 0 && html`${bdi(keywords.map(({ keyword }) => keyword).join(', '))} &middot; `}
  ${t.text(`settings.filters.${action}`)} &middot; ${places}
  ${endsAt !== null && html` &middot; ${t.text('people.until', { time: t.moment(endsAt) })}`}`;
}
