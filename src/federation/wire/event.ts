import { type Document, documentOf, firstOf, listOf, textOf, uriOf } from './values.js';
import { plainWordsOf } from './words.js';

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const ADDRESS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'];
const MAX_PART = 300;
const MAX_PLACES = 4;

/** When and where an event is, as plain lines; none for what it does not say. */
export function whenAndWhereOf(object: Document): string[] {
  const times = [momentOf(object['startTime']), momentOf(object['endTime'])].filter((each) => each !== '');
  const places = listOf(object['location'], MAX_PLACES).map(placeOf);
  return [[...new Set(times)].join(' – '), ...places].filter((line) => line !== '');
}

/** The time at the place of the event, as its server writes it. */
function momentOf(value: unknown): string {
  const [, day, time, zone = ''] = MOMENT.exec(textOf(value)?.slice(0, 64) ?? '') ?? [];
  return day === undefined ? '' : `${day} ${time ?? ''} UTC${zone === 'Z' ? '' : zone}`;
}

/** The name of a place, and its address, which is a text, the parts of one, or that of a page. */
function placeOf(value: unknown): string {
  const place = documentOf(value);
  if (!place) return textOf(value)?.slice(0, MAX_PART).trim() ?? '';
  const address = documentOf(place['address']);
  const parts = address ? ADDRESS.map((name) => plainWordsOf(address, name, MAX_PART)) : [];
  const page = firstOf([place['address'], place['url']], uriOf) ?? '';
  const lines = [plainWordsOf(place, 'name', MAX_PART), plainWordsOf(place, 'address', MAX_PART), ...parts, page];
  return [...new Set(lines)].filter((line) => line !== '').join(', ');
}
