import type { IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StaffRights } from '../access/index.js';
import { AttachmentsService, type FileReports, ReportedFiles } from '../media/index.js';
import { repeatSlices, SLICE, UnitOfWork } from '../platform/index.js';
import { BrowserSessions } from '../sign-in/index.js';
import { ReportFilesRepository } from './report-files.repository.js';
import { READ_REPORTS } from './report.view.js';

/** Retains the files of reported posts, and shows them to the staff. Implements the port {@link ReportedFiles}. */
@Injectable()
export class ReportedFilesService implements FileReports, OnModuleInit {
  constructor(
    private readonly port: ReportedFiles,
    private readonly uow: UnitOfWork,
    private readonly repository: ReportFilesRepository,
    private readonly attachments: AttachmentsService,
    private readonly sessions: BrowserSessions,
    private readonly rights: StaffRights,
  ) {}

  onModuleInit(): void {
    this.port.use(this);
  }

  async among(files: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(await this.repository.among(files));
  }

  /** By the session alone: browsers send no token for a picture. */
  async mayShow(file: string, request: IncomingMessage): Promise<boolean> {
    const reader = await this.sessions.authOf(request);
    return reader !== undefined && this.rights.admits(reader, [READ_REPORTS]) && (await this.among([file])).size > 0;
  }

  /** Removes the files of reports whose posts were removed, but for those that a post still has. */
  purge(): Promise<void> {
    return repeatSlices(() =>
      this.uow.run(async () => {
        const files = await this.repository.removeEnded(SLICE);
        await this.attachments.discardUnused(files);
        return files.length === SLICE;
      }),
    );
  }
}
