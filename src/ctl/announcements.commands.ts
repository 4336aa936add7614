import { AdminInstanceService, OPERATOR } from '../admin/index.js';
import { momentOf } from '../common/index.js';
import { AnnouncementsService } from '../instance/index.js';
import { command, UsageError } from './frame/command.js';
import { requireFound } from './frame/require.js';
import { columns, JSON_OPTION, rowsAsJson } from './frame/output.js';

const SHOWN = 100;

const list = command({
  words: 'announcements list',
  summary: `Shows the newest ${SHOWN} announcements; * marks those that people see now.`,
  options: { json: JSON_OPTION },
  example: 'announcements list',
  run: async (tools, _args, options) => {
    const rows = await (await tools.services()).get(AnnouncementsService).page(SHOWN, 0);
    if (options.json) tools.print(rowsAsJson(rows));
    else if (rows.length === 0) tools.print('There are no announcements.');
    else
      tools.print(
        ...columns(rows.map(({ id, active, source }) => [active ? '*' : ' ', id, source.split('\n')[0] ?? ''])),
      );
  },
});

const add = command({
  words: 'announcements add',
  summary: 'Announces something to everybody here.',
  parameters: { text: 'What is announced.' },
  options: {
    from: { type: 'string', help: 'When it begins, such as 2030-01-31T10:00Z; at once without.' },
    until: { type: 'string', help: 'When it ends; never without.' },
    'all-day': { type: 'boolean', help: 'Apps show the days only, not the hours.' },
  },
  example: "announcements add 'We move on Friday.' --from 2030-01-31T10:00Z --until 2030-02-01T10:00Z",
  run: async (tools, { text }, { from, until, 'all-day': allDay }) => {
    const times = { startsAt: timeOf(from), endsAt: timeOf(until) };
    const announcements = (await tools.services()).get(AdminInstanceService);
    const { id } = await announcements.createAnnouncement(OPERATOR, { content: text, ...times, allDay });
    tools.print(`Announcement ${id} was added.`);
  },
});

const remove = command({
  words: 'announcements remove',
  summary: 'Removes an announcement.',
  parameters: { id: 'Its id in "announcements list".' },
  example: 'announcements remove AzyTUnLu6nm1tNn7J2',
  run: async (tools, { id }) => {
    const announcements = (await tools.services()).get(AdminInstanceService);
    await requireFound(`announcement ${id}`, announcements.deleteAnnouncement(OPERATOR, id));
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
