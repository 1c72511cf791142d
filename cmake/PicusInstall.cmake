# make install: the command, the library, its headers, and what find_package(picus) needs.
include(CMakePackageConfigHelpers)

install(TARGETS picus EXPORT picusTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS picus_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${PROJECT_SOURCE_DIR}/include/picus/picus.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/picus)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models/ DESTINATION ${CMAKE_INSTALL_DATADIR}/picus/models
        FILES_MATCHING PATTERN "*.yaml" PATTERN "schema.json")
install(EXPORT picusTargets NAMESPACE picus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/picusConfig.cmake.in ${PROJECT_BINARY_DIR}/picusConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/picusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/picusConfig.cmake ${PROJECT_BINARY_DIR}/picusConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/picus)
