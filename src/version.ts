/** The package's version; a test holds it equal to package.json, which is not read at run time. */
export const version = '0.1.0';
