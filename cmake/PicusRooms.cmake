# Rooms of the library: one CMake target each, with dependencies that the compiler enforces.
#
# picus_room(contact SOURCES a.cpp HEADERS a.hpp DEPENDS complementarity LINK Eigen3::Eigen)
#
# The headers of a room are included as "picus/<room>/x.hpp". Each room has an include folder of its own in the build
# tree (a link to its sources), and a target sees only the folders of the rooms it depends on. An include that points
# upwards or sideways does not compile.

set_property(GLOBAL PROPERTY PICUS_ROOMS "")

set(PICUS_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(PICUS_WERROR)
  list(APPEND PICUS_WARNINGS -Werror)
endif()

# Flags of every target of the project. Contraction to fused multiply-add is off, so that results are the same bits
# whatever instruction set the compiler is told to use.
function(picus_target_flags target)
  target_compile_options(${target} PRIVATE ${PICUS_WARNINGS} -ffp-contract=off)
  if(PICUS_SANITIZE)
    # Wild and null pointers are AddressSanitizer's; to check each of them here, too, doubles the time to compile.
    target_compile_options(${target} PRIVATE -fsanitize=${PICUS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
                                             -fno-sanitize=null,alignment,object-size,pointer-overflow)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Calls instead of AddressSanitizer's inlined checks, and -Og: a third of the time to compile. -Og has false alarms.
      target_compile_options(${target} PRIVATE --param asan-instrumentation-with-call-threshold=0
                                               -Wno-uninitialized -Wno-maybe-uninitialized)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${PICUS_SANITIZE})
  endif()
endfunction()

# False alarms of g++ 12 in std::string (its bug 105651), which it shows where that header is precompiled. AddressSanitizer
# looks for the same.
function(picus_no_string_alarms target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()

# What nearly all files of the rooms include is read once. The file stands for it: its target has the flags of a room.
function(picus_add_room_headers)
  if(NOT EXISTS ${PROJECT_BINARY_DIR}/room_headers.cpp)
    file(WRITE ${PROJECT_BINARY_DIR}/room_headers.cpp "")
  endif()
  add_library(picus_room_headers OBJECT ${PROJECT_BINARY_DIR}/room_headers.cpp)
  set_target_properties(picus_room_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(picus_room_headers PRIVATE Eigen3::Eigen)
  picus_target_flags(picus_room_headers)
  target_precompile_headers(picus_room_headers PRIVATE <Eigen/Dense> <algorithm> <cmath> <functional> <map>
                            <memory> <optional> <string> <unordered_map> <vector>)
endfunction()

function(picus_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;HEADERS;DEPENDS;LINK" ${ARGN})

  set(include_root ${PROJECT_BINARY_DIR}/include/${name})
  file(MAKE_DIRECTORY ${include_root}/picus)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${include_root}/picus/${name} SYMBOLIC)

  set(target picus_${name})
  if(ROOM_SOURCES)
    add_library(${target} OBJECT ${ROOM_SOURCES})
    set(scope PUBLIC)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    picus_target_flags(${target})
    target_precompile_headers(${target} REUSE_FROM picus_room_headers)
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} ${include_root})
  foreach(dependency IN LISTS ROOM_DEPENDS)
    if(NOT TARGET picus_${dependency})
      message(FATAL_ERROR "room '${name}' depends on '${dependency}', which is not below it")
    endif()
    target_link_libraries(${target} ${scope} picus_${dependency})
  endforeach()
  if(ROOM_LINK)
    target_link_libraries(${target} ${scope} ${ROOM_LINK})
  endif()

  set_property(GLOBAL APPEND PROPERTY PICUS_ROOMS ${name})
  install(FILES ${ROOM_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/picus/${name})
endfunction()

# One library of all rooms: picus::picus, in the build tree as after installation. It is shared, so that whoever links it
# needs the headers of Eigen and nothing else of what the rooms are built on.
function(picus_add_library)
  get_property(rooms GLOBAL PROPERTY PICUS_ROOMS)
  add_library(picus SHARED)
  add_library(picus::picus ALIAS picus)
  target_compile_features(picus PUBLIC cxx_std_20)
  foreach(room IN LISTS rooms)
    get_target_property(type picus_${room} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      target_sources(picus PRIVATE $<TARGET_OBJECTS:picus_${room}>)
    endif()
    target_include_directories(picus PUBLIC $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include/${room}>)
  endforeach()
  target_include_directories(picus PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(picus PUBLIC Eigen3::Eigen PRIVATE fmt::fmt nlohmann_json::nlohmann_json HDF5::HDF5 yaml-cpp
                                                           CVODE::CVODE Cairo::Cairo Threads::Threads)
  set_target_properties(picus PROPERTIES LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION}
                                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  picus_target_flags(picus)
endfunction()
