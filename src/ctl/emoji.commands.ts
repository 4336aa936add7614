import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PacksService, PackTransfer } from '../emoji/index.js';
import { command, CommandError } from './command.js';
import { columns, json } from './output.js';

const list = command({
  words: 'emoji list',
  summary: 'Shows the custom emoji and their packs; * marks those that are disabled.',
  options: { json: { type: 'boolean' } },
  run: async (tools, _args, options) => {
    const rows = await (await tools.services()).get(PacksService).emoji();
    if (options.json) tools.print(json(rows));
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
  parameters: ['pack', 'path'],
  run: async (tools, { pack, path }) => {
    const full = resolve(path);
    const entry = await stat(full).catch(() => undefined);
    if (!entry) throw new CommandError(`There is no ${path}.`);
    const services = await tools.services();
    const transfer = services.get(PackTransfer);
    await (entry.isDirectory() ? transfer.copyFolder(pack, full) : transfer.unpack(pack, { path: full }));
    const { files } = await services.get(PacksService).byName(pack);
    tools.print(`The pack ${pack} was made: ${files.size} emoji.`);
  },
});

const reload = command({
  words: 'emoji reload',
  summary: 'Takes over what was put into the folder of the packs, and has every process read the emoji again.',
  run: async (tools) => {
    const packs = await (await tools.services()).get(PacksService).importFromDisk();
    tools.print(packs.length === 0 ? 'Nothing is new.' : `New: ${packs.join(', ')}`);
  },
});

const set = command({
  words: 'emoji set',
  summary: 'Changes what people are told of an emoji, or hides it from everybody (--disabled).',
  parameters: ['shortcode'],
  options: {
    category: { type: 'string' },
    tags: { type: 'string' },
    picker: { type: 'boolean' },
    disabled: { type: 'boolean' },
  },
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
