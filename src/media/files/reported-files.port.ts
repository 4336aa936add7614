import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Port } from '../../platform/index.js';

/** Knows the files of reported posts, by the keys of stored ones and the addresses of those of other servers. */
export interface FileReports {
  /** Those of reported posts: stored ones stay. */
  among(files: readonly string[]): Promise<ReadonlySet<string>>;
  /** Whether a file that is hidden is one of a reported post, and the request comes from somebody who may read reports. */
  mayShow(file: string, request: IncomingMessage): Promise<boolean>;
}

/** Which files are evidence is a question about reports, which stand to the right of media: hence this port. */
@Injectable()
export class ReportedFiles extends Port<FileReports> implements FileReports {
  among(files: readonly string[]): Promise<ReadonlySet<string>> {
    return this.filler().among(files);
  }

  mayShow(file: string, request: IncomingMessage): Promise<boolean> {
    return this.filler().mayShow(file, request);
  }
}
