import { TextWorkers } from '../../src/common/index.js';
import { UnitOfWork } from '../../src/platform/index.js';
import type { TestApp } from './servers/app.js';

/** Whether a unit of work was open at each piece of work on texts that `act` leads to. */
export async function openUnitsAtTexts(app: TestApp, act: () => Promise<unknown>): Promise<boolean[]> {
  const [texts, uow] = [app.get(TextWorkers), app.get(UnitOfWork)];
  const run = texts.run.bind(texts);
  const open: boolean[] = [];
  texts.run = (...work) => {
    open.push(uow.isOpen);
    return run(...work);
  };
  try {
    await act();
  } finally {
    texts.run = run;
  }
  return open;
}
