import { BooleanLike, OneOf, OptionalText, TextOrFile, type UploadedFile } from '../../../common/index.js';
import { blockedName, type BlockListName, type HostBlock } from '../../../federation/index.js';

const MAX_HOST = 300;
const MAX_REASON = 2_000;

/** How far a server is shut out. */
export const SEVERITIES = ['suspend', 'silence', 'none'] as const;
export type Severity = (typeof SEVERITIES)[number];

const LISTS: Readonly<Record<Severity, readonly BlockListName[]>> = {
  suspend: ['reject'],
  silence: ['federated_timeline_removal'],
  none: [],
};

/** The fields of a block, as its form sends them. */
export interface BlockFields {
  readonly host: string;
  readonly severity: Severity;
  readonly media: boolean;
  readonly reports: boolean;
  readonly reason: string;
}

/** The block that the fields describe. */
export function blockOf({ host, severity, media, reports, reason }: BlockFields): HostBlock {
  const more: BlockListName[] = [
    ...(media ? (['media_removal'] as const) : []),
    ...(reports ? (['report_removal'] as const) : []),
  ];
  return { host: blockedName(host), lists: [...LISTS[severity], ...more], reason };
}

export class BlockQuery implements BlockFields {
  @OptionalText({ max: MAX_HOST }) host = '';
  @OneOf(SEVERITIES) severity: Severity = 'suspend';
  @BooleanLike() media = false;
  @BooleanLike() reports = false;
  @OptionalText({ max: MAX_REASON }) reason = '';
}

export class BlockBody implements BlockFields {
  @OptionalText({ max: MAX_HOST }) host = '';
  @OneOf(SEVERITIES) severity: Severity = 'suspend';
  @BooleanLike() media = false;
  @BooleanLike() reports = false;
  @OptionalText({ max: MAX_REASON }) reason = '';
}

export class HostBody {
  @OptionalText({ max: MAX_HOST }) host = '';
}

export class BlockListBody {
  @TextOrFile() list?: string | UploadedFile;
  /** Whether the sender has seen what the list adds. */
  @BooleanLike() confirmed = false;
}
