import { createHash, createPrivateKey } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Data, type DataSize, photo } from '../data.ts';
import { Misuse } from '../misuse.ts';

/** Names the data in a folder; a folder without it is somebody else's. */
const FILE = 'bench.json';
/** What the data are made of. */
const SOURCES = [
  'docs/schema.sql',
  ...['chance', 'data', 'inbox', 'statuses'].map((name) => `bench/${name}.ts`),
].concat(['copy', 'people'].map((name) => `bench/fill/${name}.ts`));

/** The data as they are stored: without what each run makes anew, and keys as text. */
type Stored = Omit<Data, 'photo' | 'senders'> & {
  readonly senders: { readonly uris: readonly string[]; readonly pem: string };
};

interface Content {
  readonly recipe: string;
  /** Missing until the database is full. */
  readonly data?: Stored;
}

/** A folder that keeps a filled database from one run to the next. */
export class KeptFolder {
  readonly folder: string;
  private readonly recipe: string;
  /** The data in its database; undefined while it has to be filled. */
  readonly data: Data | undefined;

  private constructor(folder: string, recipe: string, data: Data | undefined) {
    this.folder = folder;
    this.recipe = recipe;
    this.data = data;
  }

  /**
   * Opens or makes a folder. Empties it when its data are of another size, schema or seeder, or were never complete.
   * @throws Misuse when the folder holds anything else
   */
  static async open(folder: string, size: DataSize): Promise<KeptFolder> {
    await mkdir(folder, { recursive: true });
    const recipe = await recipeOf(size);
    const names = await readdir(folder);
    if (names.length > 0 && !names.includes(FILE)) throw new Misuse(`${folder} is neither empty nor of the benchmark`);
    const content = names.includes(FILE) ? contentOf(await readFile(join(folder, FILE), 'utf8')) : undefined;
    const isSame = content?.recipe === recipe && content.data !== undefined;
    const kept = new KeptFolder(folder, recipe, isSame ? await loaded(content.data) : undefined);
    if (!isSame) {
      await kept.write({ recipe });
      await rm(join(folder, 'postgres'), { recursive: true, force: true });
    }
    return kept;
  }

  /** Notes that the database is full. */
  async store({ photo: _, senders, ...data }: Data): Promise<void> {
    const pem = String(senders.key.export({ type: 'pkcs8', format: 'pem' }));
    await this.write({ recipe: this.recipe, data: { ...data, senders: { uris: senders.uris, pem } } });
  }

  private async write(content: Content): Promise<void> {
    await writeFile(join(this.folder, `${FILE}.new`), JSON.stringify(content));
    await rename(join(this.folder, `${FILE}.new`), join(this.folder, FILE));
  }
}

function contentOf(text: string): Content {
  return JSON.parse(text) as Content;
}

async function loaded({ senders, ...data }: Stored): Promise<Data> {
  return { ...data, photo: await photo(), senders: { uris: senders.uris, key: createPrivateKey(senders.pem) } };
}

async function recipeOf(size: DataSize): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const texts = await Promise.all(SOURCES.map((path) => readFile(join(root, path), 'utf8')));
  return createHash('sha256')
    .update(JSON.stringify([size, texts]))
    .digest('hex');
}
