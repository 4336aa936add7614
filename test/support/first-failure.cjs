// The environment for planted faults: no test runs after the first failed expectation.
const { TestEnvironment } = require('jest-environment-node');

module.exports = class FirstFailure extends TestEnvironment {
  isFound = false;

  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.isFound) test.mode = 'skip';
    if (name === 'test_done') this.isFound ||= test.errors.flat().some((error) => error?.matcherResult !== undefined);
  }
};
