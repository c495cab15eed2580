// The entry: all that it does is in a module that the build puts in one file with what other parts share of it.
import "./begin";
