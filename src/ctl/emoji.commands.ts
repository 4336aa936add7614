import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ModerationLogService, OPERATOR } from '../admin/index.js';
import { PacksService, PackTransferService } from '../emoji/index.js';
import { readProblem, UnitOfWork } from '../platform/index.js';
import { command } from './frame/command.js';
import { columns, JSON_OPTION, rowsAsJson } from './frame/output.js';

const list = command({
  words: 'emoji list',
  summary: 'Shows the custom emoji and their packs; * marks those that are disabled.',
  options: { json: JSON_OPTION },
  example: 'emoji list',
  run: async (tools, _args, options) => {
    const rows = await (await tools.services()).get(PacksService).emoji();
    if (options.json) tools.print(rowsAsJson(rows));
    else if (rows.length === 0) tools.print('There are no custom emoji.');
    else
      tools.print(
        ...columns(rows.map(({ shortcode, pack, file, disabled }) => [disabled ? '*' : ' ', shortcode, pack, file])),
      );
  },
});

const importPack = command({
  words: 'emoji import',
  summary: 'Makes a pack of a folder of pictures, or of a zip archive of them.',
  parameters: { pack: 'The name of the new pack.', path: 'The folder, or the zip archive.' },
  example: 'emoji import Drinks ~/drinks.zip',
  writesFiles: true,
  run: async (tools, { pack, path }) => {
    const full = resolve(path);
    const entry = await stat(full).catch((error: unknown) => {
      throw readProblem(path, error) ?? error;
    });
    const services = await tools.services();
    const transfer = services.get(PackTransferService);
    await (entry.isDirectory() ? transfer.copyFolder(pack, full) : transfer.unpack(pack, { path: full }));
    const { files } = await services.get(PacksService).byName(pack);
    tools.print(`The pack ${pack} was made: ${files.size} emoji.`);
  },
});

const reload = command({
  words: 'emoji reload',
  summary: 'Takes over what was put into the folder of the packs, and has every process read the emoji again.',
  example: 'emoji reload',
  writesFiles: true,
  run: async (tools) => {
    const services = await tools.services();
    const packs = await services.get(PacksService).importFromDisk();
    await services.get(UnitOfWork).run(() => services.get(ModerationLogService).record(OPERATOR, 'reload_emoji', []));
    tools.print(packs.length === 0 ? 'Nothing is new.' : `New: ${packs.join(', ')}`);
  },
});

const set = command({
  words: 'emoji set',
  summary: 'Changes how apps offer an emoji, or hides it from everybody.',
  parameters: { shortcode: 'Its name between the colons.' },
  options: {
    category: { type: 'string', help: 'The heading under which apps show it; empty for none.' },
    tags: { type: 'string', help: 'Words to find it by, separated by commas.' },
    picker: { type: 'boolean', help: 'Whether apps offer it to people who write.', negatable: true },
    disabled: { type: 'boolean', help: 'Whether it is hidden from everybody.', negatable: true },
  },
  example: 'emoji set tea --category Drinks --tags hot,leaf',
  writesFiles: true,
  run: async (tools, { shortcode }, { category, tags, picker, disabled }) => {
    await (await tools.services()).get(PacksService).describeEmoji(shortcode, {
      category: category === '' ? null : category,
      tags: tags
        ?.split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
      visibleInPicker: picker,
      disabled,
    });
    tools.print(`The emoji :${shortcode}: was changed.`);
  },
});

export const emojiCommands = [list, importPack, reload, set];
