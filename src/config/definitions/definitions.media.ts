import { type Definitions, setting } from './setting.js';
import { flag, integer, list, pattern } from './value-types.js';

const bytes = integer(1, 10_000_000_000);
const side = integer(16, 4_000);
const host = pattern(
  /^[a-z0-9.-]+(:\d{1,5})?$|^\[[0-9a-f:.]+\](:\d{1,5})?$/,
  'a host, with its port if it has one of its own',
);

/** Files of remote servers that this server fetches for viewers. */
const proxy = {
  'media_proxy.enabled': setting(
    flag,
    false,
    'Whether this server fetches pictures, videos and sound of other servers for those who look at them: the others then do not learn who that is.',
  ),
  'media_proxy.base_url': setting(
    pattern(/^(https?:\/\/[^\s/?#@]+)?$/, 'scheme and host of a URL without a path, or empty'),
    '',
    'The address under which they are found here. Empty: `MEDIA_URL`, or else `BASE_URL`.',
  ),
  'media_proxy.whitelist': setting(list(host, 1_000), [], 'Hosts whose files people load from there themselves.'),
  'media_proxy.max_body_length': setting(bytes, 26_214_400, 'Largest file that is fetched, in bytes.'),
  'media_proxy.max_read_duration': setting(
    integer(100, 600_000),
    30_000,
    'How long fetching a file may take from its beginning to its end, in milliseconds.',
  ),
  'media_proxy.max_redirects': setting(integer(0, 10), 3, 'How many redirects are followed.'),
  'media_proxy.redirect_on_failure': setting(
    flag,
    false,
    'Whether people are sent to the other server itself when it cannot be reached from here, or the file is too large: that tells it who they are.',
  ),
  'media_proxy.cache_size': setting(
    integer(0, 10_000_000_000_000),
    1_073_741_824,
    'How much room fetched files and their previews may take on the disk, in bytes. What nobody has looked at for longest goes first. 0: nothing is kept.',
  ),
  'media_proxy.cache_max_age': setting(
    integer(60, 31_536_000),
    1_209_600,
    'After how long a file is fetched anew, in seconds.',
  ),
} satisfies Definitions;

/** Previews of those files. */
const previews = {
  'media_preview_proxy.enabled': setting(
    flag,
    false,
    'Whether small pictures are made of the files that are fetched, for lists of posts. Needs `media_proxy.enabled`.',
  ),
  'media_preview_proxy.thumbnail_max_width': setting(side, 600, 'Their largest width, in pixels.'),
  'media_preview_proxy.thumbnail_max_height': setting(side, 600, 'Their largest height, in pixels.'),
  'media_preview_proxy.image_quality': setting(integer(1, 100), 85, 'Their quality.'),
  'media_preview_proxy.min_content_length': setting(
    integer(0, 10_000_000_000),
    102_400,
    'Pictures with fewer bytes are shown as they are.',
  ),
} satisfies Definitions;

/** The settings of the groups `media_proxy` and `media_preview_proxy`. */
export const mediaDefinitions = { ...proxy, ...previews };
