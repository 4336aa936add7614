import { type MessageKey, type Translator, translatorOf } from '../../common/index.js';
import type { LogData, LogSubject } from './moderation-log.entity.js';

type ActionIn<Key> = Key extends `log.action.${infer Action}` ? Action : never;

/** What the staff can do. A new action gets its sentence, `log.action.…`, in each language (`src/common/i18n`). */
export type ModerationAction = ActionIn<MessageKey>;

/** The sentence about an action in English, such as `@root deactivated users: @alice`. */
export function messageOf(data: LogData & { readonly action: ModerationAction }): string {
  return sentenceOf(translatorOf('en'), data);
}

/** The sentence of an entry in the language of its reader; the stored one where the action is of another version. */
export function logSentence(
  t: Translator,
  { data, message }: { readonly data: LogData; readonly message: string },
): string {
  return t.has(`log.action.${data.action}`) ? sentenceOf(t, data) : message;
}

function sentenceOf(t: Translator, data: LogData): string {
  const { actor, action, subject, assigned } = data;
  const values = {
    ...Object.fromEntries(Object.entries(data).map(([name, value]) => [name, textOf(value)])),
    actor: actor.nickname,
    names: subject.map((each) => nameOf(t, each)).join(', '),
    assignee: typeof assigned === 'string' ? `@${assigned}` : t.text('log.nobody'),
    changes: changesOf(data) || t.text('log.nothing'),
  };
  return t.text(`log.action.${action}` as 'log.action.activate', values);
}

function nameOf(t: Translator, { type, id, nickname }: LogSubject): string {
  if (type === 'report') return t.text('log.report', { id, name: String(nickname) });
  if (nickname !== undefined) return `@${nickname}`;
  return ['instance', 'config', 'file'].includes(type) ? id : `#${id}`;
}

function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function changesOf({ sensitive, visibility }: LogData): string {
  const changes = Object.entries({ sensitive, visibility }).filter(([, value]) => value !== undefined);
  return changes.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}
