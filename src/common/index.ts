export {
  type Access,
  accessOf,
  AdminOnly,
  AnyToken,
  AppAuth,
  type Auth,
  CurrentAccount,
  CurrentAuth,
  CurrentToken,
  declareShowsRefusals,
  OptionalAuth,
  Public,
  SignedIn,
  Scopes,
  IsReferenceApp,
  ViewerId,
} from './routing/access.js';
export {
  type Answer,
  answerOf,
  Answers,
  AnythingShape,
  NothingShape,
  RefusalShape,
  SuccessShape,
  TextShape,
} from './answers/answers.js';
export { groupBy, inOrder, keyBy, unique } from './answers/batch.js';
export { brandKey, extensionOf } from './routing/brand.js';
export { translateForeignKeyViolation, translateUniqueViolation } from './errors/database-errors.js';
export { contentStatusOf, FormRefusals, RefusesAsCode, ValidationStatus } from './errors/refuses.js';
export { decodeUtf8 } from './input/decode.js';
export { trustedProxiesOrLoopback, clientAddress, clientNetwork } from './rate-limits/client-address.js';
export { CommonModule } from './common.module.js';
export {
  Busy,
  Conflict,
  DomainError,
  type DomainErrorOptions,
  Forbidden,
  ignoreNotFound,
  ignoreRefusal,
  Invalid,
  NotFound,
  Redirect,
  RemoteFailure,
  RemoteUnavailable,
  TooLarge,
  TooManyRequests,
  Unauthorized,
  Unavailable,
  Unprocessable,
  Unsupported,
  Upstream,
  UpgradeRequired,
} from './errors/errors.js';
export {
  type FieldError,
  fieldErrors,
  type FieldMessages,
  FieldProblems,
  FieldsRefused,
} from './errors/field-errors.js';
export { ApiExceptionFilter } from './http/exception.filter.js';
export { configureHttp, type Middleware } from './http/http.js';
export { Idempotency, type Made } from './idempotency/idempotency.js';
export { checkedKey, writeKeyHeaders } from './idempotency/idempotency-header.js';
export { IdempotencyKey } from './idempotency/idempotency.entity.js';
export { countBodyBytes, readRawBody } from './input/body.js';
export { readForeignDocument, readForeignJson, UnreadableJson } from './input/foreign-json.js';
export { BodyObject, type ConstraintContext, Input, OwnBody, readInput } from './input/input.js';
export { type Locale, localeOf, LOCALES } from './i18n/locales.js';
export { firstLanguage, languageTag, requireLanguageTag } from './text/language-tags.js';
export type { MessageKey } from './i18n/messages.js';
export { asReason, fieldPhrase, joined, phrase, Phrase, type Reason } from './reasons/reasons.js';
export { type Translator, translatorOf } from './i18n/translator.js';
export { Json } from './answers/json.js';
export { element, type Xml, xmlDocument } from './answers/xml.js';
export {
  boundedPage,
  boundedRows,
  cursorPage,
  type Cursors,
  listedTotal,
  MAX_COUNTED,
  MAX_LISTED,
  MAX_UNPAGED,
  Page,
  PagedObject,
  PageLimit,
  PageLimitOrAll,
  PageNumber,
  PageSize,
  PageOffset,
  PageQuery,
} from './answers/page.js';
export { localDomains, activityUri, contextUri, noticeUrl, objectUri, quoteApprovalUri } from './routing/uris.js';
export { momentOf } from './input/moment.js';
export { Describe, type JsonSchema, type Parameter, parametersOf } from './input/parameters.js';
export { MARK, PAGE_ASSETS, type PageAsset, REFERENCE_SCRIPT, REFERENCE_STYLE, STYLESHEET } from './pages/assets.js';
export { HtmlPage } from './pages/html-page.js';
export { type PageAnswer, SeeOther } from './pages/see-other.js';
export { elsewherePath, type PageContent, previewOf, type Site, type VisitorBar } from './pages/layout.js';
export type { Letter, MailContent } from './pages/mail.js';
export { Pages } from './pages/pages.js';
export { bdi, type Html, html, type Insert, safe } from './i18n/template.js';
export { entityTag, preferredType, prefersActor, prefersDocument, prefersPage } from './routing/negotiation.js';
export { isApiPath, profileUrl, tagUrl } from './routing/paths.js';
export { isPlainObject } from './input/plain-data.js';
export { parseQuery } from './input/query.js';
export { type AccountNames, RateLimitTargets } from './rate-limits/rate-limit-targets.port.js';
export { RateLimitGuard } from './rate-limits/rate-limit.guard.js';
export { BodyGuard, BodyTokensGuard } from './input/body.guard.js';
export {
  type BucketLimit,
  type BucketName,
  type BucketUse,
  type Limit,
  RateLimit,
  RateLimits,
  rateLimitsOf,
  requireAllowed,
} from './rate-limits/rate-limits.js';
export { type ApiRequest, requestOf } from './routing/request.js';
export { listRoutes, RouteAuditError, type RouteListing } from './routing/route-audit.js';
export { AdminApi, ClientApi, RootApi, SvcApi } from './routing/routes.js';
export { WithMuted, WithRelationships } from './input/shared-fields.js';
export { operationText, type OperationText, Summary } from './routing/summary.js';
export { sendBytes } from './answers/rendered.response.js';
export { meantVisibility } from './answers/reference-shapes.js';
export { DateOnly, DateTime, DecimalId, Described, FIELD_TEXT, FlakeId, Nullable } from './answers/shape.js';
export { isShortcode, normalizeEmoji, replaceShortcodes, shortcodesIn, shortcodesInHtml } from './text/emoji.js';
export {
  type FormattedText,
  formatText,
  handleKey,
  mentionedIn,
  mentionHtml,
  type ResolvedMention,
  type TextResolver,
  withTypedNames,
} from './text/format.js';
export { CHARACTERS_PER_URL, isLongerThan, isStatusLongerThan } from './text/length/length.js';
export { assertCleanText, cleanText, codePointLength, isBlank, normalized, textProblem } from './text/gate.js';
export {
  cutHtml,
  escapeHtml,
  hasQuoteLink,
  textOfHtml,
  withLinkedPictures,
  withoutFormatting,
  withoutQuoteLink,
  withoutVouching,
  withPictures,
} from './text/html.js';
export { normalizeDomain, searchedDomain } from './text/idna.js';
export { POST_FORMATS, type PostFormat } from './text/markup.js';
export { linksOfPage, type LinkQuery } from './text/linked-pages/page-links.js';
export { metaOfPage, type PageMeta } from './text/linked-pages/page-meta.js';
export { readPage } from './text/linked-pages/page-reader.js';
export { soleLink } from './text/profile.js';
export { sanitizeHtml, sanitizePage, stripTags } from './text/sanitize.js';
export { type Handle, HANDLE_SIGN, isTag, normalizeTag } from './text/scan.js';
export { type ForeignStatus, MAX_HTML_BYTES, type StatusTexts, type ProfileTexts } from './text/workers/text-work.js';
export { type LocalTextPolicies, TextPolicies } from './text-policies.port.js';
export { TextWorkers } from './text/workers/text-workers.js';
export {
  AnyJson,
  BooleanLike,
  CsvList,
  DurationOrNever,
  DurationSeconds,
  EmptyToNull,
  FilePart,
  FlagMap,
  IdList,
  IntLike,
  Nested,
  NestedList,
  NestedOrNull,
  OneOf,
  OptionalId,
  OptionalText,
  RequiredInt,
  RequiredText,
  TextList,
  TextOrFile,
  Trimmed,
} from './input/transforms.js';
export {
  AcceptsFiles,
  type FileLimits,
  type FilePolicy,
  removeFiles,
  takesFiles,
  UploadedFile,
  Uploads,
} from './input/uploads.js';
