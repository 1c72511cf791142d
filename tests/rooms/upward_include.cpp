// A file of the room `complementarity` that reaches for a room above it. It must not compile.
#include "picus/contact/law.hpp"

int main() { return 0; }
