// The entry: all that it does is in a module that the build puts in one file with what other parts share of it.
// Why the client is built as it is: docs/decisions/007.
import "./begin";
