import { momentOf } from '../common/index.js';
import { AnnouncementsService } from '../instance/index.js';
import { command, UsageError } from './command.js';
import { columns, json } from './output.js';

const SHOWN = 100;

const list = command({
  words: 'announcements list',
  summary: `Shows the newest ${SHOWN} announcements; * marks those that people see now.`,
  options: { json: { type: 'boolean' } },
  run: async (tools, _args, options) => {
    const rows = await (await tools.services()).get(AnnouncementsService).page(SHOWN, 0);
    if (options.json) tools.print(json(rows));
    else if (rows.length === 0) tools.print('There are no announcements.');
    else
      tools.print(
        ...columns(rows.map(({ id, active, source }) => [active ? '*' : ' ', id, source.split('\n')[0] ?? ''])),
      );
  },
});

const add = command({
  words: 'announcements add',
  summary:
    'Tells everybody here something, at once and without an end, or between two times such as 2030-01-31T10:00Z.',
  parameters: ['text'],
  options: { from: { type: 'string' }, until: { type: 'string' }, 'all-day': { type: 'boolean' } },
  run: async (tools, { text }, { from, until, 'all-day': allDay }) => {
    const times = { startsAt: timeOf(from), endsAt: timeOf(until) };
    const { id } = await (await tools.services()).get(AnnouncementsService).create({ content: text, ...times, allDay });
    tools.print(`Announcement ${id} was added.`);
  },
});

const remove = command({
  words: 'announcements remove',
  summary: 'Takes an announcement back.',
  parameters: ['id'],
  run: async (tools, { id }) => {
    await (await tools.services()).get(AnnouncementsService).delete(id);
    tools.print(`Announcement ${id} was taken back.`);
  },
});

export const announcementsCommands = [list, add, remove];

function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = momentOf(text);
  if (!time) throw new UsageError(`${text} is no time.`);
  return time;
}
