import { ForwardOnly } from '../forward-only.js';

/** Texts that the staff wrote for everybody: the panel of the frontend, the terms of service. */
export class InstanceTexts1764000035002 extends ForwardOnly {
  readonly name = 'InstanceTexts1764000035002';
  protected readonly statements = `
    create table instance_texts (
      name text primary key,
      html text not null,
      updated_at timestamptz not null default now()
    );
  `;
}
