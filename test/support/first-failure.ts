import { beforeEach } from 'vitest';

/** Spec files whose planted fault has been found: none of their tests runs after the first failed expectation. */
const found = new Set<string>();

beforeEach(({ task, skip, onTestFailed }) => {
  if (found.has(task.file.id)) skip();
  onTestFailed(({ task: { result, file } }) => {
    if (result?.errors?.some(({ name, message }) => name === 'AssertionError' || message.startsWith('promise ')))
      found.add(file.id);
  });
});
