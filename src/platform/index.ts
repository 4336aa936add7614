export { Broadcasts } from './redis/broadcasts.js';
export { Bus, type BusListener, LIVE } from './redis/bus.js';
export { ByteBudget } from './memory/byte-budget.js';
export { byteLengths, joinedBytes, packedBytes, type Part } from './memory/bytes.js';
export { ByteCache, entryLimit, packTexts } from './memory/cache.js';
export { type ActorKey, deriveKey, generateActorKey, openSecret, SealBrokenError, sealSecret } from './crypto/keys.js';
export { hashPassword, needsRehash, passwordProblem, verifyPassword } from './crypto/passwords.js';
export { hashToken, newToken, sameSecret } from './crypto/tokens.js';
export { type DatabaseAddress, parseDatabaseUrl } from './env/database-address.js';
export { COMMAND_LOCKS, tryAdvisoryLock, withAdvisoryLock } from './database/advisory-lock.js';
export {
  type ChangeReports,
  type DatabaseContents,
  dataSourceOptions,
  POOL_SIZE,
  SIGN_INS,
} from './database/data-source.js';
export { Batches } from './database/batches.js';
export { Database } from './database/database.js';
export { DatabaseSignals } from './database/database-signals.js';
export { DatabaseHealth, type Duplicates } from './database/database-health.js';
export { databaseExists } from './database/database-source.js';
export {
  type BorrowedDatabase,
  attachDatabase,
  claimDatabase,
  leaseDatabase,
  requireDatabase,
} from './database/database-lease.js';
export { FIRST_ID, firstFlakeAt, FlakeIds, isFlakeId, LAST_ID } from './database/flake-id.js';
export {
  BIGINT_LAST,
  bigintKeyset,
  flakeKeyset,
  highestId,
  isBigintId,
  type Keyset,
  type KeysetQuery,
  type OffsetQuery,
  skipped,
  newestFirst,
} from './database/keyset.js';
export { OwnerLocks } from './database/owner-locks.js';
export { type Outdated, purge } from './database/purge.js';
export { ReadCache, ReadCaches, type Reading, valuesOf } from './caches/read-cache.js';
export { placeOfFiles, RunningServers, serverSession } from './database/running-servers.js';
export { columnNames, columns, type GivenRows, givenRows, type RowOf, snakeCase } from './database/columns.js';
export {
  countFound,
  countUpTo,
  cte,
  declaredStatements,
  type Fragment,
  fragment,
  sql,
  type Statement,
  type StatementOptions,
  someRow,
  withCtes,
} from './database/sql.js';
export { type Collector, sqlState, UNIQUE_VIOLATION, UnitOfWork } from './database/unit-of-work.js';
export { Brand } from './env/brand.js';
export { ENV, type Env, isOneOfSeveral, readEnv } from './env/env.js';
export { BRAND_WORD, decodeSecretKey, environmentVariables, type Retention } from './env/env-variables.js';
export { hasCode, isOfMachine, isGivenUp, messageOf, StartError, unlessMissing } from './env/errors.js';
export { fileProblem, readProblem } from './env/file-problem.js';
export { isLostConnection, startProblem } from './database/start-problem.js';
export { isPublicAddress } from './outbound/outbound-addresses.js';
export { createOnce } from './env/create-once.js';
export { isWithin, limitedPart, networkAround, parseAddress, parseRange } from './http/address-range.js';
export { Asker, ASKING, MustWait } from './outbound/asker.js';
export { isAcceptable } from './outbound/outbound-body.js';
export { Draining } from './http/draining.js';
export { HttpAdapter, HttpServer } from './http/http-server.js';
export { listenProblem } from './http/listen-problem.js';
export {
  Outbound,
  type OutboundHeaders,
  type OutboundHop,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
} from './outbound/outbound.js';
export { bracketed, knownUrl, parseUrl } from './urls/urls.js';
export {
  ignoreUnauthorized,
  ignoreUnreachable,
  isPassingStatus,
  OutboundError,
  type OutboundErrorKind,
} from './outbound/outbound-error.js';
export {
  DAILY,
  Handles,
  HOURLY,
  ListensAfterCommit,
  Recurs,
  Subscribes,
  SubscribesToAll,
  SweepsHere,
} from './jobs/handlers.js';
export {
  backoffMs,
  done,
  fail,
  job,
  type JobKind,
  type Outcome,
  type QueueName,
  retry,
  skip,
  TRIES_OF_A_DAY,
} from './jobs/job.js';
export { JobRow } from './jobs/job.entity.js';
export { JobRepository, type FailedJob, type JobCount } from './jobs/job.repository.js';
export { Events, type JobOptions, Jobs } from './jobs/jobs.js';
export { LocalSweeps } from './jobs/local-sweeps.js';
export { Worker } from './jobs/worker.js';
export { type Bucket, Limiter, type Verdict } from './redis/limiter.js';
export { IdleCollector } from './memory/idle-collector.js';
export { Lazy } from './memory/lazy.js';
export { Semaphore } from './memory/semaphore.js';
export { inSlices, repeatSlices, remainderOf, SLICE, type WalkBounds, walkDown, walkSlices } from './memory/slices.js';
export { ReloadCoordinator } from './memory/reload-coordinator.js';
export { type Mail, Mailer, type MailSender } from './mail/mail.js';
export { Metrics, routeOf } from './metrics/metrics.js';
export { loggerModuleOptions, startLogger } from './logs/log.js';
export { expectAnswer, requestLog } from './logs/request-log.js';
export { sourceMapped } from './logs/source-mapped.js';
export { type Video, Videos } from './media/videos.js';
export {
  Images,
  MAX_PIXELS,
  type Miniature,
  type Picture,
  type PreviewSize,
  type ReadOptions,
} from './media/images.js';
export { THUMBNAIL_SIDE } from './media/picture-parts.js';
export {
  foreignTypeOfName,
  MEDIA_TYPES,
  type MediaType,
  mediaTypeOf,
  mediaTypeOfName,
  sniffForeignType,
  sniffMediaType,
  soundMimeOf,
} from './media/media-type.js';
export {
  type ByteRange,
  FolderStorage,
  isStorageKey,
  placeFile,
  type OpenedFile,
  type Storage,
  type StoredFile,
} from './media/storage.js';
export { isInStore, MediaStorage, modesOf, objectHeadersOf, STORED_FOLDERS } from './object-store/media-storage.js';
export { StoredFolder } from './object-store/stored-folder.js';
export { CACHED_OBJECTS, CachedObjects } from './object-store/cached-objects.js';
export { ObjectStore, OBJECT_STORE, type ListedObject, type StoredObject } from './object-store/object-store.js';
export { isBucketUrl, parseBucketUrl, parseObjectUrl } from './env/bucket-address.js';
export { openObjectStore } from './object-store/open-object-store.js';
export { contradicts, PART_BYTES } from './object-store/parts.js';
export { StorageError } from './object-store/storage-error.js';
export { isOperatorPath, isPublicPath, PublicFolder } from './media/public-folder.js';
export { UnreadableMedia } from './media/media-facts.js';
export { BadArchive, filesOfZip, isZip, type UnzipLimits, type ZippedFile } from './media/unzip.js';
export { type ZipEntry, zipped } from './media/zip.js';
export { PlatformModule } from './platform.module.js';
export { Port } from './port.js';
export { Replicas } from './replicas/replicas.js';
export { errorTypeOf, startTracing, Tracing } from './tracing/tracing.js';
export { type Cause, currentCause, currentWork, runWork, type Work } from './tracing/work.js';
export { makeFolder, PRIVATE_FILE, PRIVATE_FOLDER, requireOwnFiles, secureFolder } from './env/private-files.js';
export { PROGRAM_FOLDER, readProjectFile } from './env/project-file.js';
export { requireServerFiles, SECRET_KEY } from './env/secret-key.js';
