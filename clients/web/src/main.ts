// The entry. Its code is in a module, which the build puts into one file with the code that other chunks share. Why the client
// is built this way: docs/decisions/007.
import "./begin";
