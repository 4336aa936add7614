import { Injectable } from '@nestjs/common';
import { Recurs } from '../../platform/index.js';
import { DocumentReaders } from './document-readers.js';

const DAILY = 24 * 60;

@Injectable()
export class DocumentReadersJobs {
  constructor(private readonly readers: DocumentReaders) {}

  @Recurs({ job: 'federation.purge-document-readers', everyMinutes: DAILY })
  async purge(): Promise<void> {
    await this.readers.purge();
  }
}
