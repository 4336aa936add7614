import { ForwardOnly } from '../forward-only.js';

/**
 * Custom emoji of this server: one row for each that people can use. What a pack is besides lies in its folder, so a row names
 * the pack and the file there. Reactions with an emoji of another server keep its address.
 */
export class CustomEmoji1763600046000 extends ForwardOnly {
  readonly name = 'CustomEmoji1763600046000';
  protected readonly statements = `
    create table custom_emojis (
      shortcode text collate "C" primary key,
      pack text collate "C" not null,
      file text collate "C" not null,
      category text,
      tags text[] not null default '{}',
      visible_in_picker boolean not null default true,
      disabled boolean not null default false,
      updated_at timestamptz not null default now()
    );
    create index custom_emojis_pack on custom_emojis (pack);

    alter table reactions add column url text;
  `;
}
