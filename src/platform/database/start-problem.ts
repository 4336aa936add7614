import pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { StartError } from '../env/errors.js';
import { fileProblem } from '../env/file-problem.js';

/** Messages of pg and its pool that have no code. */
const LOST =
  /^(Connection terminated|Client has encountered a connection error|Query read timeout|timeout exceeded when trying to connect|Cannot use a pool after calling end)/;

/** Whether the driver lost its connection to PostgreSQL, or got none. */
export function isLostConnection(error: Error): boolean {
  return LOST.test(error.message);
}

/** A failure that ends a start or an operator command, as a sentence for the operator; undefined for faults of the program. */
export function startProblem(error: unknown): StartError | undefined {
  return error instanceof StartError ? error : (fileProblem(error) ?? databaseProblem(error));
}

/** What is wrong with a statement or its rows, but a lack of privileges: a fault of the program, whose stack leads to it. */
const FAULT = /^(?:2[23]|42(?!501))/;

function databaseProblem(error: unknown): StartError | undefined {
  const answer: unknown = error instanceof QueryFailedError ? error.driverError : error;
  if (answer instanceof pg.DatabaseError && !FAULT.test(answer.code ?? ''))
    return new StartError(`PostgreSQL refuses: ${answer.message} (${answer.code ?? 'no code'}).`, { cause: error });
  if (answer instanceof Error && isLostConnection(answer))
    return new StartError(`The connection to PostgreSQL is lost: ${answer.message}.`, { cause: error });
  return undefined;
}
