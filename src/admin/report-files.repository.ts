import { Injectable } from '@nestjs/common';
import { Database, sql } from '../platform/index.js';

interface FileRow {
  readonly file: string;
}

// Index: attachments_status.
const insert = sql(
  'report_files.insert',
  `insert into report_files (report_id, file)
   select $1, part.file from attachments m
     cross join lateral unnest(array[m.file_key, m.thumbnail_key, m.remote_url, m.remote_preview_url]) part (file)
   where m.status_id = any($2::text[]) and part.file is not null`,
);

// Index: report_files_file.
const among = sql<FileRow>('report_files.among', `select distinct file from report_files where file = any($1::text[])`);

// Index: report_statuses_pkey.
const removeEnded = sql<FileRow>(
  'report_files.remove_ended',
  `delete from report_files where id in (
     select f.id from report_files f
     where not exists (select from report_statuses s where s.report_id = f.report_id) limit $1)
   returning file`,
);

/** All SQL on `report_files`. */
@Injectable()
export class ReportFilesRepository {
  constructor(private readonly db: Database) {}

  /** Adds the files of posts to a report. */
  async insert(reportId: string, statusIds: readonly string[]): Promise<void> {
    if (statusIds.length > 0) await this.db.run(insert, [reportId, statusIds]);
  }

  /** The files of reported posts among some files. */
  async among(files: readonly string[]): Promise<string[]> {
    return (await this.db.rows(among, [files])).map(({ file }) => file);
  }

  /** Removes some files of reports whose copies are gone, and returns them. */
  async removeEnded(limit: number): Promise<string[]> {
    return (await this.db.rows(removeEnded, [limit])).map(({ file }) => file);
  }
}
